//! Ranks coloured by the number that an expression has on each.

use super::{CLASSIC, in_kernel};
use crate::drawn::{screen, styled, text};
use insta::assert_snapshot;
use rankscope::model::Rank;
use rankscope::ui::theme::{ColourDepth, Theme};

#[test]
fn each_rank_shows_the_digit_of_its_number() {
    let mut driver = in_kernel(CLASSIC, 12);
    driver.command("layout 4x3").command("colour by rank % 5 * 0.5").keys("1 j l");
    let shown = driver.text();
    assert!(shown.contains("colour by rank % 5 * 0.5  4: 2"), "{shown}");
    assert!(shown.contains("0 min 0 on 0") && shown.contains("9 max 2 on 4"), "{shown}");
    // Row 1: ranks 3 to 5.
    assert!(shown.contains("1   3:7  4:9  5:0"), "{shown}");
    assert_snapshot!("coloured_80x24", shown);
    driver.theme = Theme::dark().adapted(ColourDepth::None);
    assert_snapshot!("coloured_no_colour_styled", styled(&driver.buffer()));
    driver.theme = Theme::dark();
    assert_snapshot!("coloured_styled", styled(&driver.buffer()));
    let mut half = driver.state().clone();
    half.inspection.colours.as_mut().unwrap().known = (0..7).map(Rank).collect();
    let half = text(&screen(&driver.app, &half, &driver.theme));
    assert!(half.contains("colour by rank % 5 * 0.5  - 5 not read yet  4: 2"), "{half}");
    driver.command("colour by none");
    assert!(driver.text().contains("5B") && !driver.text().contains(" min 0 on"), "{}", driver.text());
}

#[test]
fn colours_are_those_of_the_present_stop() {
    let mut driver = in_kernel(CLASSIC, 4);
    driver.command("colour by n");
    let before = driver.state().inspection.colours.clone().unwrap();
    assert!(driver.text().contains("0 all 16"), "{}", driver.text());
    driver.go("n n");
    driver.command("[2] set n = 77");
    let text = driver.text();
    assert!(text.contains("9 max 77 on 2"), "{text}");
    let after = driver.state().inspection.colours.clone().unwrap();
    assert_eq!(after.picture.summary.count, 4);
    assert_ne!(before.picture, after.picture);
}

#[test]
fn ranks_without_a_number_are_marked() {
    let mut driver = in_kernel(CLASSIC, 8);
    // Not a number on rank 2, infinite on rank 3.
    driver.command("colour by rank == 2 ? 0.0 / 0.0 : rank == 3 ? 1.0 / 0.0 : 1.0 * rank").keys("1");
    let text = driver.text();
    assert!(text.contains("2:N") && text.contains("3:I") && text.contains("7:9"), "{text}");
    assert!(text.contains("1 NaN") && text.contains("1 infinite"), "{text}");
    driver.command("colour by nosuch");
    assert!(driver.state().colour.as_ref().unwrap().contains("0.0"), "a misspelt expression leaves the colours");
}

#[test]
fn a_cell_of_several_ranks_shows_the_greatest_number() {
    let mut driver = in_kernel((200, 60), 8192);
    driver.command("layout 64x128").command("colour by rank % 128 == 77 ? 9 : rank % 2").keys("1");
    assert_snapshot!("coloured_200x60", driver.text());
    let (cells, known) = {
        let colours = driver.state().inspection.colours.as_ref().unwrap();
        (colours.cells, colours.known.len())
    };
    assert!(!cells.are_single() && known == 8192);
    driver.app.resize(80, 24);
    driver.settle();
    let colours = driver.state().inspection.colours.as_ref().unwrap();
    assert_ne!(colours.cells, cells, "the cells of the smaller screen have been asked for");
    assert!(driver.text().contains("max 9 on 77"), "{}", driver.text());
}
