//! The views that no file of their own draws, on a large terminal and in every theme.

use super::*;
use rankscope::ui::theme::{BUILT_IN, ThemeSearch};

const WIDE: (u16, u16) = (200, 60);

/// Draws a view at 200x60, and at 80x24 in every theme, one of which has the 16 colours of the terminal.
fn is_drawn_everywhere(name: &str, show: impl Fn((u16, u16)) -> Driver) {
    assert_snapshot!(format!("{name}_200x60"), show(WIDE).text());
    let driver = show(CLASSIC);
    for (theme, _) in BUILT_IN {
        let depth = if *theme == "ansi16" { ColourDepth::Named } else { ColourDepth::True };
        let theme_of = ThemeSearch::default().load(theme).0.adapted(depth);
        let drawn = crate::drawn::screen(&driver.app, driver.state(), &theme_of);
        assert_snapshot!(format!("{name}_{theme}"), styled(&drawn));
    }
}

#[test]
fn the_map_of_ranks() {
    is_drawn_everywhere("map", |size| diverged(size, 1000));
}

#[test]
fn merged_stacks() {
    is_drawn_everywhere("merged", |size| {
        let mut driver = Driver::start("diverge", &[], 8, size);
        driver.command("break even").go("c").keys("3 m");
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
