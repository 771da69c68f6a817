//! What colours and other styles say, characters and the terminal's cursor say as well: each theme's screen is compared
//! without its styles.

use super::{CLASSIC, diverged, in_kernel};
use crate::drawn::text;
use crate::driver::Driver;
use rankscope::ui::theme::{BUILT_IN, ThemeSearch};
use rankscope::ui::{app::App, draw};
use ratatui::{Terminal, backend::TestBackend, layout::Position};

/// The characters of the screen and its cursor, in each theme; they are the same in all.
#[track_caller]
fn shape(driver: &Driver) -> (String, Position) {
    let shapes = BUILT_IN.iter().map(|(name, _)| {
        let theme = ThemeSearch::default().load(name).0;
        let App { view, .. } = &driver.app;
        let mut terminal = Terminal::new(TestBackend::new(view.area.width, view.area.height)).unwrap();
        terminal.draw(|frame| draw(frame, view.area, driver.state(), view, &theme)).unwrap();
        let characters = text(terminal.backend().buffer());
        (*name, (characters, terminal.get_cursor_position().unwrap()))
    });
    let mut shapes: Vec<_> = shapes.collect();
    let (first, shape) = shapes.remove(0);
    for (name, other) in &shapes {
        assert_eq!(*other, shape, "{name} says with characters what {first} does not");
    }
    shape
}

/// Presses keys that change what is marked; the screens before and after must differ without their styles.
#[track_caller]
fn differ(driver: &mut Driver, keys: &str) -> [(String, Position); 2] {
    let before = shape(driver);
    driver.keys(keys);
    let after = shape(driver);
    assert_ne!(before, after, "{keys:?} changes styles only:\n{}", after.0);
    [before, after]
}

#[test]
fn the_row_of_the_keyboard_and_its_view_are_where_the_cursor_is() {
    let mut driver = in_kernel(CLASSIC, 8);
    for (view, moves) in [("3", "k"), ("4", "j"), ("1", "l"), ("2", "j"), ("8", "j"), ("4", "k")] {
        let [before, after] = differ(&mut driver, view);
        assert_ne!(before.1, after.1, "the cursor is not in view {view}");
        let [before, after] = differ(&mut driver, moves);
        assert_ne!(before.1, after.1, "the cursor stays in view {view}");
    }
    // Output that follows what comes has no selected row.
    driver.keys("5 2");
    let [before, after] = differ(&mut driver, "5");
    assert_ne!(before.1, after.1);
}

#[test]
fn the_view_that_a_shared_pane_shows_is_in_brackets() {
    let mut driver = in_kernel(CLASSIC, 8);
    assert!(shape(&driver).0.contains("[5 output]"), "{}", shape(&driver).0);
    driver.keys("6");
    assert!(shape(&driver).0.contains("[6 breakpoints]") && shape(&driver).0.contains(" 5 output "));
}

#[test]
fn a_place_that_was_searched_for_is_where_the_cursor_is() {
    let mut driver = in_kernel(CLASSIC, 8);
    driver.keys("2").keys("/ f o r enter");
    let (characters, cursor) = shape(&driver);
    let row: String = characters.lines().nth(cursor.y.into()).unwrap().chars().skip(cursor.x.into()).collect();
    assert!(row.starts_with("for"), "{cursor:?}: {row:?}\n{characters}");
}

#[test]
fn marks_of_ranks_and_breakpoints_are_characters() {
    let mut driver = diverged(CLASSIC, 8);
    driver.keys("1 l");
    let [_, marked] = differ(&mut driver, "space");
    assert!(marked.0.contains("marked "), "{}", marked.0);
    let has = |shape: &(String, Position), sign| shape.0.lines().any(|row| row.starts_with(sign));
    assert!(has(&marked, '●') && !has(&marked, '○'));
    driver.command("disable 1");
    assert!(has(&shape(&driver), '○'), "{}", shape(&driver).0);
}

#[test]
fn the_answer_that_enter_gives_is_where_the_cursor_is() {
    let mut driver = in_kernel(CLASSIC, 8);
    driver.keys("q");
    let [before, after] = differ(&mut driver, "down");
    assert_ne!(before.1, after.1);
    assert_eq!(before.0, after.0);
}
