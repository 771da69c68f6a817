//! Breakpoints in their view and in the source, and the keys for them.

use super::*;
use rankscope::model::{PointAction, ProcessState, Rank, StopReason, VariableValue};

#[test]
fn several_breakpoints_on_a_line_have_a_sign_of_their_own_and_are_deleted_together() {
    let mut driver = Driver::start("stencil", &[], 4, LARGE);
    driver.command("break stencil.c:61 if 0").command("break stencil.c:61").keys("2");
    assert_eq!(driver.state().breakpoints.len(), 2, "{}", driver.text());
    assert!(driver.text().lines().any(|row| row.contains('◉') && row.contains(" 61  ")), "{}", driver.text());
    driver.keys("e");
    assert!(driver.state().breakpoints.values().all(|point| !point.request.enabled), "{}", driver.text());
    driver.keys("b");
    assert!(driver.state().breakpoints.is_empty(), "{}", driver.text());
}

#[test]
fn tracepoints_and_barriers_are_named_in_their_view() {
    let mut driver = Driver::start("stencil", &[], 4, LARGE);
    driver.command("break stencil.c:61").command("break kernel").command("break stencil.c:62").keys("6");
    let mut state = driver.state().clone();
    let actions = [PointAction::Trace(vec!["1 + 1".to_owned()]), PointAction::Barrier, PointAction::Stop];
    for (breakpoint, action) in state.breakpoints.values_mut().zip(actions) {
        breakpoint.request.action = action;
    }
    let text = text(&crate::drawn::screen(&driver.app, &state, &Theme::dark()));
    for words in ["trace stencil.c:61", "shows 1 + 1", "barrier kernel"] {
        assert!(text.contains(words), "no {words}\n{text}");
    }
    let row = text.lines().find(|row| row.contains(" 3 ") && row.contains("stencil.c:62")).unwrap();
    assert_eq!(row.matches("stencil.c:62").count(), 1, "{row}");
}

#[test]
fn the_key_bar_of_the_breakpoints_has_the_keys_for_them() {
    let mut driver = Driver::start("stencil", &[], 4, (110, 30));
    driver.command("break kernel").keys("6");
    let text = driver.text();
    let bar = text.lines().last().unwrap();
    for key in ["enter show", "e on/off", "d delete", "C condition"] {
        assert!(bar.contains(key), "no {key}: {bar}");
    }
}

#[test]
fn what_has_no_value_is_not_to_be_set() {
    let (mut state, mut app) = numbers::trapped(100, 24);
    app.chord(rankscope::ui::keys::Chord::parse("4").unwrap(), Instant::now(), &state);
    let bar = |state: &State, app: &App| {
        let shown = text(&crate::drawn::screen(app, state, &Theme::dark()));
        shown.lines().last().unwrap_or_default().to_owned()
    };
    assert!(bar(&state, &app).contains("V set"), "{}", bar(&state, &app));
    let mut locals = state.inspection.locals.value().cloned().unwrap_or_default();
    for local in &mut locals {
        local.value = VariableValue::Unknown { why: "optimized out".into(), type_name: "int".into() };
    }
    state.inspection.locals = rankscope::controller::state::Lookup::Known(locals);
    assert!(!bar(&state, &app).contains("V set"), "{}", bar(&state, &app));
}

#[test]
fn ranks_that_were_attached_to_are_not_said_to_have_started() {
    let (mut state, app) = numbers::trapped(100, 24);
    let Some(ProcessState::Stopped(stop)) = state.ranks.state(Rank(6)).cloned() else { panic!("6 runs") };
    for (rank, reason) in [(6, StopReason::Attached), (9, StopReason::Start)] {
        let stop = rankscope::model::Stop { reason, ..*stop.clone() };
        state.ranks.change(&ProcessSet::range(rank, rank + 1), &ProcessState::Stopped(Box::new(stop)));
    }
    let shown = text(&crate::drawn::screen(&app, &state, &Theme::dark()));
    assert!(shown.contains("S 6  ") && shown.contains("attached  flux") && shown.contains("started  flux"), "{shown}");
}
