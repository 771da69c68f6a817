//! The ranks as a grid of processes.

use super::{CLASSIC, in_kernel};
use crate::drawn::styled;
use insta::assert_snapshot;
use rankscope::model::Rank;
use rankscope::ui::theme::{ColourDepth, Theme};

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
