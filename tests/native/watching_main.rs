//! Watchpoints in the main program, in C and Fortran: they end when it returns, with debug registers and with
//! single-stepping.

use crate::driver::{Session, build, line_of, place};
use crate::support;
use crate::support::points::{change, watch};
use rankscope::model::{
    Answer, Armed, BreakpointId, BreakpointRequest, Context, Event, Operation, StopReason, WatchAccess, Watched,
};

const MAIN: &str = include_str!("../programs/watched_main.c");

fn changes(id: u32, expression: &str) -> BreakpointRequest {
    watch(id, WatchAccess::Change, expression)
}

fn next_change(session: &mut Session) -> (u32, String) {
    session.go(0);
    let stop = session.stop(0);
    let (id, _, new) = change(&stop.reason);
    (id, new)
}

fn goes(session: &mut Session) -> StopReason {
    session.go(0);
    session.stop(0).reason
}

/// All of them end: one is the reason of the stop, and none fires later.
#[test]
fn watchpoints_of_the_main_program_end_when_it_returns() {
    let program = build(MAIN, &[]);
    let mut session = Session::launch(&program.path, 1);
    session.stop(0);
    session.breakpoint(0, 1, &format!("program.c:{}", line_of(MAIN, "/* made */")));
    goes(&mut session);
    let context = Context::default();
    let set = session.ask(0, Operation::Evaluate { context, expression: "$i = 2".to_owned() });
    assert!(matches!(set, Answer::Data(_)), "{set:?}");
    assert_eq!(session.arm(changes(2, "local")), Armed::Hardware);
    // A convenience variable is allowed there, too.
    assert_eq!(session.arm(changes(3, "row[$i]")), Armed::Hardware);
    assert!(matches!(session.arm(changes(4, "wide")), Armed::Software(_)));
    assert_eq!(next_change(&mut session), (2, "2".to_owned()));
    assert_eq!(next_change(&mut session), (3, "5".to_owned()));
    assert!(matches!(goes(&mut session), StopReason::Watchpoint(BreakpointId(4), Watched::Changed { .. })));
    let ended = goes(&mut session);
    assert!(matches!(ended, StopReason::Watchpoint(_, Watched::ScopeEnded)), "{ended:?}");
    let gone = session.all(0).iter().filter(|event| matches!(event, Event::BreakpointGone(_))).count();
    assert_eq!(gone, 3);
    session.go(0);
    assert_eq!(session.end(0), Event::Exited(2));
}

/// Elements and components are written in the language's notation, names in any case.
#[test]
fn variables_of_a_main_program_in_fortran_are_watched_as_fortran_writes_them() {
    let program = support::build::build("gfortran", "watched_main.f90", &["-g", "-O0"]);
    let mut session = Session::launch(&program, 1);
    // It starts in its main program, not in the compiler's `main`.
    let start = session.stop(0);
    assert_eq!((start.reason.clone(), place(&start).0.as_str()), (StopReason::Start, "walk"));
    session.breakpoint(0, 1, "sub");
    session.breakpoint(0, 2, "begin");
    goes(&mut session);
    session.ok(0, Operation::Step { kind: rankscope::model::StepKind::Finish, count: 1, context: Context::default() });
    session.stop(0);
    let known = session.arm(changes(3, "GRID(3)"));
    assert_eq!((known, session.arm(changes(4, "p%x"))), (Armed::Hardware, Armed::Hardware));
    assert_eq!(next_change(&mut session), (3, "7".to_owned()));
    assert_eq!(next_change(&mut session), (4, "8".to_owned()));
    assert_eq!(goes(&mut session), StopReason::Breakpoint(BreakpointId(1)));
    assert_eq!(next_change(&mut session), (3, "2".to_owned()));
    let ended = goes(&mut session);
    assert!(matches!(ended, StopReason::Watchpoint(_, Watched::ScopeEnded)), "{ended:?}");
    session.go(0);
    assert_eq!(session.end(0), Event::Exited(0));
}

/// The address is watched, not the expression: also in a frame where its names are undefined.
#[test]
fn the_place_of_an_element_in_fortran_is_watched() {
    let program = support::build::build("gfortran", "watched_main.f90", &["-g", "-O0"]);
    let mut session = Session::launch(&program, 1);
    session.stop(0);
    session.breakpoint(0, 1, "begin");
    goes(&mut session);
    session.ok(0, Operation::Step { kind: rankscope::model::StepKind::Finish, count: 1, context: Context::default() });
    session.stop(0);
    assert_eq!(session.arm(changes(3, "-location grid(3)")), Armed::Hardware);
    assert_eq!(session.arm(changes(4, "-location P%X")), Armed::Hardware);
    assert_eq!(next_change(&mut session), (3, "7".to_owned()));
    assert_eq!(next_change(&mut session), (4, "8".to_owned()));
    // Enabled again it watches the same address.
    for enabled in [false, true] {
        session.ok(0, Operation::EnableBreakpoint(BreakpointId(3), enabled));
    }
    assert_eq!(next_change(&mut session), (3, "2".to_owned()));
}
