//! Names in the conditions of breakpoints.

use crate::session::{Kind, Session, all, at_mark, breakpoint, on_mark};
use crate::support::{build, points};
use rankscope::model::{
    Answer, BreakpointId, BreakpointRequest, ErrorCode, Event, LaunchSpec, LocationSpec, Operation, ProcessSet, Rank,
    Severity, Site, StopReason, WatchAccess,
};

of_processes!(
    a_condition_with_an_unknown_name_is_refused_where_the_place_is_known,
    conditions_of_all_kinds_of_names_and_operators_hold_at_the_same_arrival,
    conditions_name_members_of_the_object_while_the_program_is_elsewhere,
    of_several_places_those_are_left_out_at_which_the_condition_is_invalid,
    a_pending_breakpoint_stays_pending_where_its_condition_is_invalid,
    conditions_of_watchpoints_are_checked_in_the_frame_that_is_watched,
    a_watchpoint_whose_condition_has_no_frame_says_so,
    a_test_for_nan_is_advised_where_the_macro_is_unknown,
);

fn a_condition_with_an_unknown_name_is_refused_where_the_place_is_known(kind: Kind) {
    let mut session = Session::launched(kind, &[], 1);
    let with = |id, condition: &str| BreakpointRequest { condition: Some(condition.to_owned()), ..at_mark(id, "sum") };
    let failure = session.fails(0, Operation::SetBreakpoint(with(1, "i > 2 && nosuch")));
    assert_eq!(failure.message, "No symbol \"nosuch\" in current context.");
    assert_eq!((failure.code, failure.position), (ErrorCode::UNKNOWN_VARIABLE, Some(9)));
    session.break_at(with(2, "i == 3 && sizeof (long) == 8"));
    let failure = session.fails(0, Operation::SetCondition(BreakpointId(2), Some("nosuch".to_owned())));
    assert_eq!((failure.code, failure.position), (ErrorCode::UNKNOWN_VARIABLE, Some(0)));
    // The names cannot be checked while the location is pending.
    session.set_breakpoint(
        &ProcessSet::one(Rank(0)),
        BreakpointRequest {
            condition: Some("nosuch".to_owned()),
            ..breakpoint(3, LocationSpec::Function("comes_later".to_owned()))
        },
    );
    // The condition set before the refused one still applies.
    assert_eq!(session.go(0).reason, StopReason::Breakpoint(BreakpointId(2)));
    assert_eq!(session.integer("i"), 3);
}

/// The loop passes with `i` 0, 1, 2, …; every condition becomes true when `i` is 3.
fn conditions_of_all_kinds_of_names_and_operators_hold_at_the_same_arrival(kind: Kind) {
    for condition in [
        "i == 3 && table[i - 3] == 0.5",
        "result == 3 && shared.mood == BUSY",
        "n > 3 && *&i == 3",
        "(long) i * 2 == 6",
        "i == 3 ? shared.name[0] == 's' : 0",
        "(&shared)->id - 4 == i && &shared != 0",
        "$sp != 0 && !(i != 3)",
        "sizeof (i) == 4 && i == 3",
        "((struct cell *) &shared)->id == 7 && i == 3",
    ] {
        let mut session = Session::launched(kind, &[], 1);
        session.break_at(BreakpointRequest { condition: Some(condition.to_owned()), ..at_mark(1, "sum") });
        assert_eq!(session.go(0).reason, StopReason::Breakpoint(BreakpointId(1)), "{condition}");
        assert_eq!(session.integer("i"), 3, "{condition}");
    }
}

/// The functions of the sites of a breakpoint, without their arguments.
fn functions(sites: &[Site]) -> Vec<String> {
    let name = |site: &Site| site.function.as_deref().unwrap_or_default().split('(').next().unwrap().to_owned();
    sites.iter().map(name).collect()
}

fn warned(session: &mut Session, words: &str) {
    session.event(Rank(0), words, |event| match event {
        Event::Message(Severity::Warning, text) if text.contains(words) => Some(()),
        _ => None,
    });
}

/// Two functions have the same name; each has a parameter that the other lacks.
fn of_several_places_those_are_left_out_at_which_the_condition_is_invalid(kind: Kind) {
    let program = build::build("g++", "several_scopes.cpp", &["-g", "-O0"]).display().to_string();
    let mut session = Session::new(kind);
    session.launch(LaunchSpec { program, ..LaunchSpec::default() }, 1);
    session.stop(0);
    let on_both = BreakpointRequest {
        condition: Some("whole > 0".to_owned()),
        ..breakpoint(1, LocationSpec::Function("taken".to_owned()))
    };
    let Answer::Breakpoint(_, sites) = session.ask(0, Operation::SetBreakpoint(on_both)) else { panic!() };
    assert_eq!(functions(&sites), ["taken"]);
    warned(&mut session, "breakpoint 1 will not stop at several_scopes.cpp:8 in taken");
    // Without the condition the breakpoint is at both again, and then only at the other.
    for (condition, line) in [(None, None), (Some("part > 0"), Some(4))] {
        session.ok(&all(1), Operation::SetCondition(BreakpointId(1), condition.map(str::to_owned)));
        if let Some(line) = line {
            warned(&mut session, &format!("breakpoint 1 will not stop at several_scopes.cpp:{line} in taken"));
        }
    }
    let failure = session.fails(0, Operation::SetCondition(BreakpointId(1), Some("nosuch > 0".to_owned())));
    assert_eq!(failure.code, ErrorCode::UNKNOWN_VARIABLE);
    // The first call is to the other function.
    assert_eq!(session.go(0).reason, StopReason::Breakpoint(BreakpointId(1)));
    assert_eq!(session.integer("part == 2.5"), 1);
    session.go_to_end(0);
}

fn a_pending_breakpoint_stays_pending_where_its_condition_is_invalid(kind: Kind) {
    let library = build::build("gcc", "pending_library.c", &["-g", "-O0", "-shared", "-fPIC"]);
    let program = build::build("gcc", "pending.c", &["-g", "-O0"]).display().to_string();
    let mut session = Session::new(kind);
    let arguments = vec![library.display().to_string()];
    session.launch(LaunchSpec { program, arguments, ..LaunchSpec::default() }, 1);
    session.stop(0);
    for (id, condition) in [(1, "nosuch > 1"), (2, "n == 2")] {
        let request = BreakpointRequest {
            condition: Some(condition.to_owned()),
            ..breakpoint(id, LocationSpec::Function("twice".to_owned()))
        };
        assert_eq!(session.ask(0, Operation::SetBreakpoint(request)), Answer::Breakpoint(BreakpointId(id), Vec::new()));
    }
    session.ok(&all(1), Operation::Go);
    warned(&mut session, "breakpoint 1 stays pending: its condition is invalid at pending_library.c:3 in twice");
    assert_eq!(session.stop(0).reason, StopReason::Breakpoint(BreakpointId(2)));
    assert_eq!(session.integer("n"), 2);
    let moved = session.events[&Rank(0)].iter().find_map(|(_, event)| match event {
        Event::BreakpointMoved(BreakpointId(1), sites) if !sites.is_empty() => Some(sites.clone()),
        _ => None,
    });
    assert_eq!(moved, None);
}

fn conditions_of_watchpoints_are_checked_in_the_frame_that_is_watched(kind: Kind) {
    let mut session = Session::at(kind, &[], "sum");
    let watch = |id, condition: &str| {
        let request = points::watch(id, WatchAccess::Change, "result");
        BreakpointRequest { condition: Some(condition.to_owned()), ..request }
    };
    let failure = session.fails(0, Operation::SetBreakpoint(watch(2, "nosuch > 1")));
    assert_eq!(failure.message, "No symbol \"nosuch\" in current context.");
    session.arm(watch(3, "i == 3"));
    let failure = session.fails(0, Operation::SetCondition(BreakpointId(3), Some("nosuch > 1".to_owned())));
    assert_eq!(failure.message, "No symbol \"nosuch\" in current context.");
    if kind == Kind::Native {
        // gdb finds this out when the watchpoint stops.
        let failure = session.fails(0, Operation::SetCondition(BreakpointId(3), Some("shared.nosuch".to_owned())));
        assert_eq!(failure.message, "There is no member named nosuch.");
    }
}

/// `main` writes the counter after the handler of the signal has returned.
fn a_watchpoint_whose_condition_has_no_frame_says_so(kind: Kind) {
    let mut session = Session::launched(kind, &["signal"], 1);
    session.break_at(at_mark(1, "handler"));
    while session.go(0).reason != StopReason::Breakpoint(BreakpointId(1)) {}
    let request = points::watch(2, WatchAccess::Change, "counter");
    session.arm(BreakpointRequest { condition: Some("number == 0".to_owned()), ..request });
    let stop = session.go(0);
    assert!(matches!(stop.reason, StopReason::Watchpoint(BreakpointId(2), _)), "{stop:?}");
    assert_eq!(stop.note.as_deref(), Some("Watchpoint condition cannot be tested in the current scope"));
}

fn a_test_for_nan_is_advised_where_the_macro_is_unknown(kind: Kind) {
    let mut session = Session::launched(kind, &[], 1);
    let request = BreakpointRequest { condition: Some("NAN == result".to_owned()), ..at_mark(1, "sum") };
    let failure = session.fails(0, Operation::SetBreakpoint(request));
    let advice = "No symbol \"NAN\" in current context. (no value equals NaN: write \"x != x\" to test x for it)";
    assert_eq!(failure.message, advice);
    session
        .break_at(BreakpointRequest { condition: Some("result != result || i == 2".to_owned()), ..at_mark(2, "sum") });
    session.go(0);
    assert_eq!(session.integer("i"), 2);
}

const MEMBERS: &str = "members.cpp";

/// In a method, a lambda that captures the object, and a template: the fourth object of five in each.
fn conditions_name_members_of_the_object_while_the_program_is_elsewhere(kind: Kind) {
    for (mark, condition) in [
        ("step", "rank_ > 2"),
        ("step", "rank_ == 3 && inherited == 4 && shared == 6"),
        ("step", "inner == 3 && steps_ == 0"),
        ("step", "this->rank_ >= 3"),
        ("lambda", "rank_ == 3 && n == 3"),
        ("scaled", "rank_ * by == 6"),
    ] {
        if (kind, condition) == (Kind::Gdb, "inner == 3 && steps_ == 0") {
            // gdb 13 cannot find members of anonymous members this way.
            continue;
        }
        let program = build::build("g++", MEMBERS, &["-g", "-O0"]).display().to_string();
        let mut session = Session::new(kind);
        session.launch(LaunchSpec { program, ..LaunchSpec::default() }, 1);
        session.stop(0);
        let with = |id, condition: &str| BreakpointRequest {
            condition: Some(condition.to_owned()),
            ..on_mark(id, MEMBERS, mark)
        };
        let failure = session.fails(0, Operation::SetBreakpoint(with(1, "rnk_ > 2")));
        assert_eq!(failure.message, "No symbol \"rnk_\" in current context.");
        session.break_at(with(2, condition));
        assert_eq!(session.go(0).reason, StopReason::Breakpoint(BreakpointId(2)), "{condition}");
        assert_eq!(session.integer("rank_"), 3, "{condition}");
        session.break_at(on_mark(3, MEMBERS, "call"));
        session.go(0);
        // Outside of a method the names are undefined.
        let failure = session.fails(
            0,
            Operation::SetBreakpoint(BreakpointRequest {
                condition: Some("rank_ > 2".to_owned()),
                ..on_mark(4, MEMBERS, "call")
            }),
        );
        assert_eq!(failure.code, ErrorCode::UNKNOWN_VARIABLE);
    }
}
