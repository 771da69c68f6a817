//! Whatever the mouse does, keys do as well.

use super::{CLASSIC, in_kernel};
use crate::driver::Driver;
use rankscope::ui::action::{ACTIONS, Scope, ViewId};
use rankscope::ui::keys::Chord;
use rankscope::ui::layer::Layer;
use ratatui::crossterm::event::{KeyModifiers, MouseButton, MouseEvent, MouseEventKind};

fn mouse(driver: &mut Driver, kind: MouseEventKind, (column, row): (u16, u16)) {
    let event = MouseEvent { kind, column, row, modifiers: KeyModifiers::NONE };
    let effects = driver.app.mouse(event, driver.session.state());
    assert_eq!(effects, [], "outside of the margin, the mouse moves cursors only");
    driver.settle();
}

/// Where the title of a view is on the screen.
fn title(driver: &Driver, view: ViewId) -> (u16, u16) {
    let words = format!("{} {}", view.sign(), view.title());
    let text = driver.text();
    let found =
        text.lines().enumerate().find_map(|(row, line)| Some((line.split_once(&words)?.0.chars().count(), row)));
    let (column, row) = found.unwrap_or_else(|| panic!("no {words} in\n{text}"));
    (column as u16, row as u16)
}

/// The view with the keyboard, and its cursor.
fn place(driver: &Driver) -> (ViewId, usize) {
    let view = &driver.app.view;
    let cursor = match view.current {
        ViewId::Source => view.source.list.cursor,
        ViewId::Stack => view.stack.cursor,
        ViewId::Variables => view.variables.list.cursor,
        _ => 0,
    };
    (view.current, cursor)
}

#[test]
fn a_click_and_the_wheel_reach_what_keys_reach() {
    for view in [ViewId::Ranks, ViewId::Source, ViewId::Stack] {
        let mut driver = in_kernel(CLASSIC, 8);
        driver.keys("4").keys("3").keys(if view == ViewId::Stack { "2" } else { "3" });
        let (column, row) = title(&driver, view);
        // Behind the margin of the source.
        let column = column + 12;
        mouse(&mut driver, MouseEventKind::Down(MouseButton::Left), (column, row + 2));
        let clicked = place(&driver);
        assert_eq!(clicked.0, view);
        let mut keyed = in_kernel(CLASSIC, 8);
        keyed.keys("4").keys("3").keys(&view.sign().to_string());
        for _ in 0..200 {
            let here = place(&keyed);
            if here == clicked {
                break;
            }
            keyed.keys(if here.1 < clicked.1 { "j" } else { "k" });
        }
        assert_eq!(place(&keyed), clicked, "no key goes to what was clicked");
        if view == ViewId::Source {
            mouse(&mut driver, MouseEventKind::ScrollDown, (column, row + 2));
            keyed.keys("j j j");
            assert_eq!(place(&keyed), place(&driver));
        }
        // A question is answered by keys only.
        driver.keys("q");
        mouse(&mut driver, MouseEventKind::Down(MouseButton::Left), (column, row + 2));
        assert!(matches!(driver.app.view.layers.last(), Some(Layer::Confirm(_))));
    }
}

#[test]
fn a_click_in_the_margin_does_what_the_key_for_breakpoints_does() {
    let mut driver = in_kernel(CLASSIC, 8);
    let (column, row) = title(&driver, ViewId::Source);
    let kind = MouseEventKind::Down(MouseButton::Left);
    let event = MouseEvent { kind, column: column - 1, row: row + 2, modifiers: KeyModifiers::NONE };
    let clicked = driver.app.mouse(event, driver.session.state());
    assert_ne!(clicked, []);
    let key = Chord::parse("b").unwrap();
    assert_eq!(driver.app.chord(key, driver.session.now(), driver.session.state()), clicked);
}

/// The mouse goes to any view: each has an action with a key, as every action has.
#[test]
fn every_action_has_a_key_and_every_view_an_action() {
    for row in ACTIONS {
        assert!(row.keys.iter().any(|keys| !keys.is_empty()), "{} has no key", row.name);
    }
    for view in ViewId::ALL {
        let has_action = ACTIONS.iter().any(|row| row.action.view() == Some(view));
        // The keys that open them are those of a value.
        let opens = ACTIONS.iter().any(|row| row.name == view.title() && row.scope == Scope::Anywhere);
        assert!(has_action || opens, "no key goes to the {}", view.title());
    }
}
