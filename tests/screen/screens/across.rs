//! Displayed expressions on many ranks: in the view of ranks, and in places of their own.

use super::*;

/// The rows of the screen that contain a text.
fn rows(driver: &Driver, wanted: &str) -> Vec<String> {
    driver.text().lines().filter(|line| line.contains(wanted)).map(|line| line.trim().to_owned()).collect()
}

#[test]
fn the_view_of_ranks_shows_displayed_expressions_of_the_rank_under_the_cursor_and_of_all() {
    let mut driver = in_kernel(CLASSIC, 8);
    driver.command("display rank").command("display n * 2 + 1").command("display nosuch");
    driver.keys("1");
    assert_snapshot!("across_80x24", driver.text());
    driver.keys("l l l");
    assert!(rows(&driver, "rank  3: 3").len() == 1, "{}", driver.text());
}

#[test]
fn values_follow_the_ranks() {
    let mut driver = in_kernel(CLASSIC, 8);
    driver.command("display n");
    let before = rows(&driver, " n  0: ");
    assert_eq!(before.len(), 1, "{}", driver.text());
    driver.command("set n = 77");
    assert!(rows(&driver, " n  0: 77").len() == 1, "{}", driver.text());
    driver.command("undisplay");
    assert!(rows(&driver, " n  0: ").is_empty());
}

#[test]
fn an_expression_with_a_place_stays_when_another_rank_is_shown() {
    let mut driver = in_kernel(LARGE, 8);
    driver.command("[3] display -here rank").command("[0-1] display -here rank");
    driver.command("focus 5");
    let text = driver.text();
    assert!(rows(&driver, "rank @ 3").iter().any(|row| row.ends_with(" 3")), "{text}");
    assert!(rows(&driver, "rank @ 0").iter().any(|row| row.contains("[0] 0  [1] 1")), "{text}");
}
