//! Source, stack, variables and the merged stack show the same frame, and follow the lead rank wherever it stops.

use super::*;

/// The row of the merged stack with the lead's mark.
fn marked(driver: &Driver) -> String {
    let text = driver.text();
    let rows: Vec<&str> = text.lines().filter_map(|line| line.split_once("│▶").map(|(_, row)| row)).collect();
    assert_eq!(rows.len(), 1, "{text}");
    rows[0].to_owned()
}

fn line(driver: &Driver) -> usize {
    driver.app.view.source.list.cursor + 1
}

#[test]
fn the_mark_in_the_merged_stack_follows_the_chosen_frame() {
    let mut driver = Driver::start("diverge", &[], 8, CLASSIC);
    driver.command("break even").go("c");
    driver.keys("3");
    assert!(marked(&driver).contains("even"), "{}", driver.text());
    driver.keys("U");
    assert!(marked(&driver).contains("main"), "{}", driver.text());
    assert_eq!((driver.state().frame(), driver.app.view.stack.cursor), (1, 0));
    driver.keys("D");
    assert!(marked(&driver).contains("even"), "{}", driver.text());
    driver.command("frame 1").keys("esc");
    assert!(marked(&driver).contains("main"), "{}", driver.text());
    // Rank 1 is in the other branch.
    driver.keys("D .");
    assert!(driver.text().contains("│▶  even") && driver.state().lead.0 == 1, "{}", driver.text());
}

#[test]
fn enter_on_a_branch_chooses_its_frame_for_the_ranks_of_the_branch() {
    let mut driver = Driver::start("diverge", &[], 8, CLASSIC);
    driver.command("break even").go("c");
    driver.keys("3 g g j j enter");
    let state = driver.state();
    assert_eq!((state.focus.set.to_string().as_str(), state.frame()), ("1-7:2", 1));
    let found = state.nearest_source().unwrap();
    assert_eq!((found.level, line(&driver)), (1, 14), "{}", driver.text());
    assert!(driver.text().contains("4 variables ─ rank 1 odd"), "{}", driver.text());
    for rank in [3, 5, 7] {
        driver.keys(".");
        assert_eq!((driver.state().lead.0, driver.state().frame()), (rank, 1));
    }
    // At the root, ranks are at different levels of their stacks.
    driver.keys("a g g enter");
    let state = driver.state();
    let of = |rank| state.frames.level(rankscope::model::Rank(rank), None);
    assert_eq!((state.focus.set.to_string().as_str(), of(0), of(1)), ("0-7", 1, 2));
}

#[test]
fn the_source_goes_to_a_stop_where_the_last_one_was() {
    let mut driver = in_kernel(CLASSIC, 8);
    assert_eq!(line(&driver), 36);
    driver.keys("2 g g").go("c");
    assert_eq!(line(&driver), 36, "{}", driver.text());
    assert!(driver.text().contains("●▶ 36"), "{}", driver.text());
}

#[test]
fn a_text_that_was_opened_gives_way_to_the_next_stop() {
    let mut driver = in_kernel(CLASSIC, 8);
    driver.keys("2 o").typed("halo").keys("enter");
    assert_ne!(line(&driver), 36);
    driver.go("c");
    assert_eq!(line(&driver), 36, "{}", driver.text());
    driver.command("break halo").keys("6 g g j enter");
    assert_ne!(line(&driver), 36);
    driver.command("delete 2").keys("2").go("c");
    assert_eq!(line(&driver), 36, "{}", driver.text());
}
