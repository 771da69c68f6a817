//! The view of variables beside the values of a snapshot, or of other ranks.

use super::*;

/// The lines of the screen that contain a word.
fn lines_with(driver: &Driver, word: &str) -> Vec<String> {
    driver.text().lines().filter(|line| line.contains(word)).map(str::to_owned).collect()
}

#[test]
fn variables_show_what_they_were_in_a_snapshot() {
    let mut driver = in_kernel(CLASSIC, 8);
    driver.keys("4 S");
    assert_eq!(lines_with(&driver, "snapshot 1: ").len(), 1, "{}", driver.text());
    driver.keys("v");
    assert!(driver.text().contains("variables ─ since s") && !driver.text().contains(" was "), "{}", driver.text());
    driver.go("c c").keys("4 g g l z");
    let told = lines_with(&driver, "iteration");
    assert!(told.iter().any(|line| line.contains("3  was 1")), "{}", driver.text());
    assert_snapshot!("since_snapshot_80x24", driver.text());
    // The last stop, which is what changed marks are about otherwise, was one round ago.
    driver.keys("v");
    assert!(!driver.text().contains(" was ") && !driver.text().contains("since"), "{}", driver.text());
}

#[test]
fn a_snapshot_of_another_function_or_of_other_ranks_is_told() {
    let mut driver = in_kernel(CLASSIC, 8);
    driver.command("[1-7] snapshot others").command("compare snapshot");
    assert!(driver.text().contains("variables ─ not in snap"), "{}", driver.text());
    driver.command("snapshot here").command("compare snapshot here").keys("U 4 z");
    assert!(driver.text().contains("snapshot here: kernel"), "{}", driver.text());
    driver.command("snapshot delete here");
    assert!(!driver.text().contains("snapshot here: kernel"), "{}", driver.text());
    driver.command("compare snapshot here");
    assert!(driver.text().contains("no snapshot \"here\"; known: others"), "{}", driver.text());
}

#[test]
fn variables_show_those_of_other_ranks() {
    // Ranks 0, 2, 4 and 6 are four lines further than the others.
    let mut driver = diverged(CLASSIC, 8);
    driver.command("focus all").keys("4 = ").typed("1,3,5-6").keys("enter z");
    assert!(driver.text().contains("beside 1-5:2,6"), "{}", driver.text());
    // Ranks 1, 3 and 5 do not have the variable yet.
    assert_eq!(lines_with(&driver, "25  [6] 9.375").len(), 1, "{}", driver.text());
    assert_snapshot!("beside_ranks_80x24", driver.text());
    driver.keys("z").go("c").keys("z");
    assert!(lines_with(&driver, "[6] ").is_empty(), "the others are at the breakpoint again: {}", driver.text());
    driver.keys("=").keys("enter");
    assert!(!driver.text().contains("beside"), "{}", driver.text());
}

#[test]
fn a_comparison_with_what_is_not_there_is_refused() {
    let mut driver = in_kernel(CLASSIC, 8);
    driver.keys("4 =").typed("5-9").keys("enter");
    assert!(driver.text().contains("no such ranks: 8-9"), "{}", driver.text());
    driver.keys("=").typed("before").keys("enter");
    assert!(driver.text().contains("\"before\" is neither a set of ranks"), "{}", driver.text());
    driver.keys("S =").typed("snapshot 1").keys("enter");
    assert!(driver.text().contains("compared with snapshot 1"), "{}", driver.text());
    driver.keys("v");
    assert!(driver.text().contains("compared with the last stop"), "{}", driver.text());
}

#[test]
fn the_names_of_snapshots_are_completed() {
    let mut driver = in_kernel(CLASSIC, 8);
    driver.command("snapshot beginning");
    driver.keys(":").typed("compare snap").keys("tab").typed("beg").keys("tab");
    assert!(driver.text().contains(":compare snapshot beginning"), "{}", driver.text());
    driver.keys("esc :").typed("snapshot del").keys("tab").typed("b").keys("tab");
    assert!(driver.text().contains(":snapshot delete beginning"), "{}", driver.text());
}
