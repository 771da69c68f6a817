//! Names in the conditions of breakpoints.

use crate::session::{Kind, Session, at_mark, breakpoint};
use rankscope::model::{
    BreakpointId, BreakpointRequest, ErrorCode, LocationSpec, Operation, ProcessSet, Rank, StopReason,
};

of_processes!(a_condition_with_an_unknown_name_is_refused_where_the_place_is_known);

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
