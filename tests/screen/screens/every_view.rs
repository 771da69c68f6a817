//! The views that no file of their own draws, on a large terminal and in every theme.

use super::*;
use crate::screenshots::is_drawn;
use rankscope::ui::theme::{BUILT_IN, ThemeSearch};

const WIDE: (u16, u16) = (200, 60);

/// Draws a view at 200x60, at 80x24 in every theme, one of which has the 16 colours of the terminal, and on the largest
/// terminal.
pub(super) fn is_drawn_everywhere(name: &str, show: impl Fn((u16, u16)) -> Driver) {
    assert_snapshot!(format!("{name}_200x60"), show(WIDE).text());
    let driver = show(CLASSIC);
    for (theme, _) in BUILT_IN {
        let depth = if *theme == "ansi16" { ColourDepth::Named } else { ColourDepth::True };
        let theme_of = ThemeSearch::default().load(theme).0.adapted(depth);
        let drawn = crate::drawn::screen(&driver.app, driver.state(), &theme_of);
        assert_snapshot!(format!("{name}_{theme}"), styled(&drawn));
    }
    let widest = show((500, 200)).text();
    assert_eq!(widest.lines().count(), 200, "{widest}");
}

#[test]
fn the_map_of_ranks() {
    is_drawn_everywhere("map", |size| diverged(size, 1000));
}

#[test]
fn merged_stacks() {
    is_drawn_everywhere("merged", |size| {
        let mut driver = Driver::start("diverge", &[], 8, size);
        driver.command("break even").go("c").keys("3");
        driver
    });
}

#[test]
fn variables_across_ranks() {
    is_drawn_everywhere("across", |size| {
        let mut driver = in_kernel(size, 8);
        driver.command("display rank").command("display n * 2 + 1").keys("1");
        driver
    });
}

#[test]
fn local_variables_across_ranks() {
    is_drawn_everywhere("across_locals", |size| {
        let mut driver = in_kernel(size, 8);
        driver.go("n n").command("[1-2] set var change = 0.5").command("[5] set var i = 7");
        for rank in 0..8 {
            driver.command(&format!("[{rank}] set var n = {}", 16 + rank * rank));
        }
        driver.keys("4 m m m");
        driver
    });
}

#[test]
fn values_that_are_opened() {
    is_drawn_everywhere("opened", |size| {
        let mut driver = in_kernel(size, 8);
        driver.go("n n n n").keys("4 g g l");
        driver
    });
}

#[test]
fn threads() {
    is_drawn_everywhere("threads", |size| {
        let mut driver = Driver::start("spin", &[], 2, size);
        driver.command("break turn").go("c").keys("7");
        driver
    });
}

#[test]
fn messages() {
    is_drawn_everywhere("messages", |size| {
        let mut driver = Driver::start("crash", &[], 4, size);
        driver.go("c").keys("9");
        driver
    });
}

#[test]
fn screenshots_of_threads_and_messages() {
    let theme = Theme::dark();
    let mut driver = Driver::start("spin", &[], 4, (100, 30));
    driver.command("break turn").go("c").keys("7 z");
    is_drawn("threads", &driver.buffer(), &theme);
    driver.command("[0-1] next").command("[2] next 2").keys("m");
    is_drawn("threads_of_focus", &driver.buffer(), &theme);
    let mut driver = in_kernel((100, 30), 8);
    driver.command("print n").command("display rank").command("display n * 2 + 1").command("set var change = 0.5");
    driver.keys("9 z");
    is_drawn("messages", &driver.buffer(), &theme);
    driver.keys("z 1");
    is_drawn("across", &driver.buffer(), &theme);
    driver.command("[5] set var i = 7");
    for rank in 0..8 {
        driver.command(&format!("[{rank}] set var n = {}", 16 + rank * rank));
    }
    driver.keys("4 m m m z");
    is_drawn("across_locals", &driver.buffer(), &theme);
}
