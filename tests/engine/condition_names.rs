//! Names in the conditions of breakpoints.

use crate::session::{Kind, Session, at_mark, breakpoint, on_mark};
use crate::support::build;
use rankscope::model::{
    BreakpointId, BreakpointRequest, ErrorCode, LaunchSpec, LocationSpec, Operation, ProcessSet, Rank, StopReason,
};

of_processes!(
    a_condition_with_an_unknown_name_is_refused_where_the_place_is_known,
    conditions_of_all_kinds_of_names_and_operators_hold_at_the_same_arrival,
    conditions_name_members_of_the_object_while_the_program_is_elsewhere,
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
    // Nobody knows yet what the names are of a place that has not come.
    session.set_breakpoint(
        &ProcessSet::one(Rank(0)),
        BreakpointRequest {
            condition: Some("nosuch".to_owned()),
            ..breakpoint(3, LocationSpec::Function("comes_later".to_owned()))
        },
    );
    // The condition before the refused one holds.
    assert_eq!(session.go(0).reason, StopReason::Breakpoint(BreakpointId(2)));
    assert_eq!(session.integer("i"), 3);
}

/// The loop passes with `i` 0, 1, 2, …; every condition is true when it is 3, and not before.
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

const MEMBERS: &str = "members.cpp";

/// In a method, in what it captures for a lambda, and in a template: of each the fourth object of five.
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
            // gdb 13 does not find members of anonymous members so.
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
        // Where the object is none the names mean nothing.
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
