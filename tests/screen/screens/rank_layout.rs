//! The ranks as a grid of processes.

use super::{CLASSIC, in_kernel};
use crate::drawn::styled;
use crate::driver::Driver;
use insta::assert_snapshot;
use rankscope::model::Rank;
use rankscope::ui::theme::{ColourDepth, Theme};
use ratatui::crossterm::event::{MouseButton, MouseEventKind};

#[test]
fn ranks_are_drawn_in_the_shape_of_their_grid() {
    let mut driver = in_kernel(CLASSIC, 12);
    driver.command("layout 4x3").keys("1 j j l");
    // Row 2, column 1.
    assert_eq!(driver.app.view.ranks.cursor, 7);
    let text = driver.text();
    assert!(text.contains(" 7 at (2,1) of 4x3"), "{text}");
    assert!(text.contains("2   6B  7B  8B"), "{text}");
    assert_snapshot!("grid_80x24", text);
    driver.keys("h h h k k k k");
    assert_eq!(driver.app.view.ranks.cursor, 0, "the cursor stays in the plane");
    driver.theme = Theme::dark().adapted(ColourDepth::None);
    assert_snapshot!("grid_no_colour_styled", styled(&driver.buffer()));
    driver.command("layout none");
    assert!(!driver.text().contains("of 4x3"), "{}", driver.text());
}

#[test]
fn planes_of_a_large_grid_are_shown_one_at_a_time() {
    let mut driver = in_kernel((200, 60), 1024);
    driver.command("layout 2x16x32").keys("1 l");
    assert_snapshot!("planes_200x60", driver.text());
    driver.keys("]");
    assert_eq!(driver.app.view.ranks.cursor, 513);
    assert!(driver.text().contains(" 513 at (1,0,1) of 2x16x32"), "{}", driver.text());
    driver.keys("]");
    assert_eq!(driver.app.view.ranks.cursor, 513, "there is no third plane");
    driver.keys("[");
    assert_eq!((driver.app.view.ranks.cursor, driver.state().lead), (1, Rank(1)));
}

#[test]
fn several_ranks_share_a_cell_where_they_do_not_fit() {
    let mut driver = in_kernel(CLASSIC, 1024);
    driver.command("layout 32x32").keys("1 j");
    let text = driver.text();
    assert!(text.contains("x 1 ranks a cell"), "{text}");
    assert_eq!(driver.app.view.ranks.cursor % 32, 0);
}

/// The place of a text on the screen.
#[track_caller]
fn place_of(driver: &Driver, wanted: &str) -> (u16, u16) {
    let text = driver.text();
    let found = text.lines().enumerate().find_map(|(row, line)| {
        let at = line.find(wanted)?;
        Some((line[..at].chars().count() as u16, row as u16))
    });
    found.unwrap_or_else(|| panic!("no {wanted:?} in\n{text}"))
}

#[test]
fn a_click_on_a_cell_selects_its_rank_and_the_wheel_turns_the_planes() {
    let mut driver = in_kernel(CLASSIC, 24);
    driver.command("layout 2x4x3");
    let (column, row) = place_of(&driver, "7B");
    driver.mouse(MouseEventKind::Down(MouseButton::Left), (column, row));
    assert_eq!((driver.app.view.ranks.cursor, driver.state().lead), (7, Rank(7)));
    driver.mouse(MouseEventKind::ScrollDown, (column, row));
    assert_eq!(driver.app.view.ranks.cursor, 19, "{}", driver.text());
    driver.mouse(MouseEventKind::ScrollDown, (column, row));
    assert_eq!(driver.app.view.ranks.cursor, 19, "there is no third plane");
    driver.mouse(MouseEventKind::ScrollUp, (column, row));
    assert_eq!(driver.app.view.ranks.cursor, 7);
    // The label before a row is no cell.
    driver.mouse(MouseEventKind::Down(MouseButton::Left), (0, row));
    assert_eq!(driver.app.view.ranks.cursor, 7);
    driver.command("layout none");
    let place = place_of(&driver, "16B");
    driver.mouse(MouseEventKind::Down(MouseButton::Left), place);
    assert_eq!(driver.app.view.ranks.cursor, 16);
}

#[test]
fn a_range_in_a_grid_is_the_box_between_its_corners() {
    let mut driver = in_kernel(CLASSIC, 12);
    driver.command("layout 4x3").keys("1 l v j j l");
    // From (0,1) to (2,2).
    driver.keys("enter");
    assert_eq!(driver.state().focus.set.to_string(), "1-2,4-5,7-8");
    driver.command("focus all").command("layout none").keys("1 g g v l l enter");
    assert_eq!(driver.state().focus.set.to_string(), "0-2");
}
