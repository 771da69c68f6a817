//! Ranks continued at another location: `jump`.

use crate::session::{Kind, Session, at_mark, line, line_of};
use rankscope::model::{BreakpointId, Context, ErrorCode, LocationSpec, Operation, StopReason};

contract!(a_jump_leaves_out_what_lies_between, a_jump_arrives_at_a_breakpoint, a_jump_into_another_function_is_refused,);
fn to(mark: &str) -> Operation {
    Operation::Jump(LocationSpec::Line(line(mark)), Context::default())
}

fn a_jump_leaves_out_what_lies_between(kind: Kind) {
    let mut session = Session::at(kind, &[], "even");
    session.break_at(at_mark(1, "branched"));
    let stop = session.resume(0, to("odd"));
    assert_eq!((&stop.reason, session.integer("way")), (&StopReason::Breakpoint(BreakpointId(1)), 11));
    // Also backwards.
    let stop = session.resume(0, to("even"));
    assert_eq!((&stop.reason, session.integer("way")), (&StopReason::Breakpoint(BreakpointId(1)), 10));
}

fn a_jump_arrives_at_a_breakpoint(kind: Kind) {
    let mut session = Session::at(kind, &[], "even");
    session.break_at(at_mark(1, "odd"));
    let stop = session.resume(0, to("odd"));
    assert_eq!((&stop.reason, line_of(&stop.frame)), (&StopReason::Breakpoint(BreakpointId(1)), line("odd")));
}

fn a_jump_into_another_function_is_refused(kind: Kind) {
    let mut session = Session::at(kind, &[], "even");
    for place in [LocationSpec::Function("sum".to_owned()), LocationSpec::Line(line("leaf"))] {
        let failure = session.fails(0, Operation::Jump(place, Context::default()));
        // The message names the command that jumps there anyway.
        assert!(failure.message.contains(" is not in `"), "{}", failure.message);
        assert!(failure.message.contains("\"jump *0x"), "{}", failure.message);
    }
    let failure = session.fails(0, Operation::Jump(LocationSpec::Function("nowhere".to_owned()), Context::default()));
    assert_ne!(failure.code, ErrorCode::NOT_IMPLEMENTED);
    assert_eq!(line_of(&session.stack(0)[0]), line("even"));
}
