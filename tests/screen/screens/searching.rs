//! A search finds what its view shows, and nothing else.

use super::*;
use ratatui::buffer::Buffer;

/// The rows of the current view, zoomed so that all are visible.
fn rows_of(buffer: &Buffer) -> Vec<String> {
    let lines: Vec<String> = text(buffer).lines().map(str::to_owned).collect();
    lines[1..lines.len() - 2].to_vec()
}

fn cursor(driver: &Driver) -> usize {
    let view = &driver.app.view;
    match view.current {
        ViewId::Ranks => view.ranks.cursor as usize,
        ViewId::Source => view.source.list.cursor,
        ViewId::Stack => view.stack.cursor,
        ViewId::Variables => view.variables.list.cursor,
        ViewId::Output => view.output.list.cursor,
        ViewId::Breakpoints => view.breakpoints.cursor,
        ViewId::Threads => view.threads.cursor,
        ViewId::Signals => view.signals.cursor,
        ViewId::Messages => view.messages.list.cursor,
        ViewId::Array => view.array.row as usize,
        ViewId::Memory => view.memory.cursor as usize,
    }
}

/// Searches for every word of every row from the first row, and expects the first row that shows it.
fn every_word_is_found(driver: &mut Driver, what: &str) {
    driver.keys("z g g");
    let rows: Vec<String> = rows_of(&driver.buffer()).iter().map(|row| row.to_lowercase()).collect();
    let words = |row: &str| row.split(|c: char| !c.is_alphanumeric()).map(str::to_owned).collect::<Vec<_>>();
    let mut searched = 0;
    for word in rows.iter().flat_map(|row| words(row)).filter(|word| word.len() > 1) {
        driver.keys("g g /").typed(&word).keys("enter");
        searched += 1;
        let at = cursor(driver);
        assert!(rows[at].contains(&word), "{what}: {word} is not in row {at}\n{}", driver.text());
        let behind = rows.iter().skip(1).position(|row| row.contains(&word)).map(|row| row + 1);
        assert_eq!(at, behind.unwrap_or(0), "{what}: {word}\n{}", driver.text());
    }
    assert!(searched > 0, "{what}: nothing to search for\n{}", driver.text());
    driver.keys("esc z");
    assert!(!driver.app.view.zoom);
}

#[test]
fn every_view_searches_the_rows_it_shows() {
    let mut driver = Driver::start("diverge", &[], 8, LARGE);
    driver.command("break even").command("break odd if n > 3").go("c");
    driver.keys("3");
    every_word_is_found(&mut driver, "frames");
    driver.keys("m");
    every_word_is_found(&mut driver, "merged stack");
    driver.keys("4");
    every_word_is_found(&mut driver, "variables");
    driver.keys("m");
    every_word_is_found(&mut driver, "registers");
    driver.keys("m");
    every_word_is_found(&mut driver, "libraries");
    driver.keys("6");
    every_word_is_found(&mut driver, "breakpoints");
    driver.keys("7");
    every_word_is_found(&mut driver, "threads");
}

#[test]
fn a_search_in_the_merged_stack_never_focuses_another_branch() {
    let mut driver = Driver::start("diverge", &[], 8, CLASSIC);
    driver.command("break even").go("c");
    driver.keys("3 /").typed("odd").keys("enter enter");
    assert_eq!(driver.state().focus.set.to_string(), "1-7:2");
    driver.keys("a g g /").typed("0-6:2").keys("enter enter");
    assert_eq!(driver.state().focus.set.to_string(), "0-6:2", "the ranks of a branch are found too");
    // Text that only the lead rank's frames would have is not found.
    driver.keys("a g g /").typed("#0").keys("enter");
    assert!(driver.text().contains("not found in this view"), "{}", driver.text());
}

#[test]
fn the_ranks_say_that_they_have_no_search() {
    let mut driver = in_kernel(CLASSIC, 8);
    driver.keys("1 /").typed("3").keys("enter");
    assert!(driver.text().contains("no search in ranks"), "{}", driver.text());
    driver.keys("n");
    assert!(!driver.app.view.search.active, "n still steps");
}

#[test]
fn what_is_found_is_marked_where_it_is_shown() {
    let mut driver = Driver::start("diverge", &[], 8, CLASSIC);
    driver.command("break even").go("c");
    driver.keys("3 /").typed("odd").keys("enter");
    let (buffer, found) = (driver.buffer(), driver.theme.style(rankscope::ui::theme::Role::Match));
    let marked: String =
        buffer.content.iter().filter(|cell| cell.bg == found.bg.unwrap()).map(|c| c.symbol()).collect();
    assert!(marked.contains("odd"), "{marked:?}\n{}", driver.text());
}
