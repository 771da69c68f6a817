//! Steps over calls that do not return: longjmp(3), exceptions, signal handlers, recursion.

use crate::session::{Kind, Session, function_of, line_of, on_mark};
use crate::support::{build::build, marks};
use rankscope::model::{
    Answer, BreakpointId, BreakpointRequest, Context, Event, LaunchSpec, LocationSpec, Operation, SignalName, StepKind,
    Stop, StopReason,
};

const JUMPS: &str = "nonlocal.c";
const THROWS: &str = "thrown.cpp";

of_processes!(a_handler_is_passed_over_and_a_breakpoint_in_it_stops, a_next_and_a_finish_pass_over_deeper_activations,);

/// Stopped at a mark, with the user signals passed silently.
fn stopped_at(kind: Kind, file: &str, mark: &str) -> Session {
    let mut session = Session::new(kind);
    let compiler = if file == THROWS { "g++" } else { "gcc" };
    let program = build(compiler, file, &["-g", "-O0"]).display().to_string();
    session.launch(LaunchSpec { program, ..LaunchSpec::default() }, 1);
    session.stop(0);
    for name in ["SIGUSR1", "SIGUSR2"] {
        let (stop, print, pass) = (Some(false), Some(false), Some(true));
        let handle = Operation::HandleSignal { name: SignalName::parse(name).unwrap(), stop, print, pass };
        assert!(matches!(session.ask(0, handle), Answer::Signals(_)));
    }
    session.break_at(BreakpointRequest { temporary: true, ..on_mark(900, file, mark) });
    session.go(0);
    session
}

#[track_caller]
fn is_at(stop: &Stop, file: &str, mark: &str) {
    assert_eq!((line_of(&stop.frame), &stop.reason), (marks::line(file, mark), &StopReason::Step), "{mark}: {stop:?}");
}

#[track_caller]
fn steps(session: &mut Session, kind: StepKind, file: &str, marks: &[&str]) {
    for mark in marks {
        is_at(&session.step(0, kind), file, mark);
    }
}

fn a_handler_is_passed_over_and_a_breakpoint_in_it_stops(kind: Kind) {
    let mut session = stopped_at(kind, JUMPS, "handles");
    steps(&mut session, StepKind::Over, JUMPS, &["deep"]);
    assert_eq!(session.integer("handled"), 2);

    let mut session = stopped_at(kind, JUMPS, "handles");
    session.break_at(on_mark(1, JUMPS, "returns"));
    let stop = session.step(0, StepKind::Over);
    assert_eq!((stop.reason, function_of(&stop.frame)), (StopReason::Breakpoint(BreakpointId(1)), "returns"));
    // The breakpoint ended the step; its caller is the kernel's trampoline.
    let frames = session.stack(0);
    assert_eq!(function_of(&frames[1]), "<signal handler called>", "{frames:#?}");
    assert_eq!(function_of(frames.last().unwrap()), "main");
}

fn a_next_and_a_finish_pass_over_deeper_activations(kind: Kind) {
    let mut session = stopped_at(kind, JUMPS, "deeper");
    assert_eq!(session.integer("n"), 5);
    let stop = session.step(0, StepKind::Over);
    assert_eq!((function_of(&stop.frame), session.integer("n")), ("depth", 5));

    let mut session = stopped_at(kind, JUMPS, "deeper");
    let stop = session.step(0, StepKind::Finish);
    assert_eq!(line_of(&stop.frame), marks::line(JUMPS, "deep"));
    let StopReason::Finished(Some(value)) = &stop.reason else { panic!("{stop:?}") };
    assert_eq!(crate::session::integer_of(value), 5);
}

#[test]
fn a_next_goes_on_where_a_longjmp_arrives() {
    for from in ["jumps", "leaves"] {
        let mut session = stopped_at(Kind::Native, JUMPS, from);
        steps(&mut session, StepKind::Over, JUMPS, &["asks", "landed", "within"]);
        assert_eq!(session.integer("total"), 7);
        // A breakpoint within a call that is run through does not belong to the step.
        steps(&mut session, StepKind::Over, JUMPS, &["marks", "raises", "marks", "handles", "deep"]);
        assert_eq!((session.integer("total"), session.integer("handled")), (10, 2));
        assert_eq!(session.go_to_end(0), Event::Exited(17));
    }
}

#[test]
fn an_instruction_that_calls_what_jumps_ends_where_that_arrives() {
    let mut session = stopped_at(Kind::Native, JUMPS, "jumps");
    let here = marks::line(JUMPS, "jumps");
    let mut line = here;
    while line == here {
        line = line_of(&session.step(0, StepKind::InstructionOver).frame);
    }
    assert_eq!(line, marks::line(JUMPS, "sets"));
}

#[test]
fn a_finish_out_of_what_jumps_ends_where_that_arrives() {
    let mut session = stopped_at(Kind::Native, JUMPS, "leaves");
    for frame in [0, 2] {
        let context = Context { thread: None, frame };
        let stop = session.resume(0, Operation::Step { kind: StepKind::Finish, count: 1, context });
        is_at(&stop, JUMPS, "sets");
        session = stopped_at(Kind::Native, JUMPS, "leaves");
    }
    let location = LocationSpec::Line(marks::line(JUMPS, "asks"));
    let stop = session.resume(0, Operation::Until(location, Context::default()));
    // The frame to return from is gone.
    is_at(&stop, JUMPS, "sets");
}

#[test]
fn a_next_goes_on_where_an_exception_is_caught() {
    let mut session = stopped_at(Kind::Native, THROWS, "swallows");
    session.step(0, StepKind::Over);
    assert_eq!(session.integer("total"), 5);
    let mut session = stopped_at(Kind::Native, THROWS, "throws");
    steps(&mut session, StepKind::Over, THROWS, &["caught", "handled", "end"]);
    assert_eq!(session.integer("total"), 10);
    let mut session = stopped_at(Kind::Native, THROWS, "leaves");
    session.step(0, StepKind::Over);
    // Caught by an outer caller, in which it continues.
    let stop = session.stack(0);
    assert!(function_of(&stop[0]).starts_with("swallows"), "{stop:#?}");
    assert_eq!(session.go_to_end(0), Event::Exited(10));
}
