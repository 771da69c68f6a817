//! Every kind of step, watchpoint and catchpoint, each with eight threads that arrive at the same time.

use crate::eight::{THREADS, arrivals, begun, next, step};
use crate::session::{Kind, Session, function_of, line_of, on_mark};
use crate::support::points::{change, watch};
use crate::support::{build::build, marks};
use rankscope::model::{
    Armed, BreakpointId, BreakpointRequest, Catch, Caught, Event, LaunchSpec, Operation, Point, SignalName, StepKind,
    Stop, StopReason, WatchAccess,
};

const FILE: &str = "threads_ways.c";
const ROUNDS: usize = 3;

of_processes!(
    through_the_linkage_table,
    past_a_function_without_lines,
    within_an_inlined_function,
    over_its_own_recursion,
    over_a_signal_handler,
    a_watched_counter,
    thrown_exceptions,
    handled_exceptions,
    forks,
    libraries,
);

/// Every thread's arrival at a mark is seen, and the outcome of the step from there.
fn stepped(
    kind: Kind,
    way: &str,
    mark: &str,
    condition: Option<&str>,
    from: StepKind,
    look: impl Fn(&mut Session, &Stop),
) {
    let library = build("gcc", "plugin.c", &["-g", "-O0", "-shared", "-fPIC"]).display().to_string();
    let program = build("gcc", FILE, &["-g", "-O0", "-pthread", &library]).display().to_string();
    let mut session = Session::new(kind);
    let arguments = vec![way.to_owned(), ROUNDS.to_string()];
    session.launch(LaunchSpec { program, arguments, ..LaunchSpec::default() }, 1);
    session.stop(0);
    let (name, quiet) = (SignalName::parse("SIGUSR2").unwrap(), Some(false));
    session.ask(0, Operation::HandleSignal { name, stop: quiet, print: quiet, pass: Some(true) });
    session.break_at(BreakpointRequest { condition: condition.map(str::to_owned), ..on_mark(1, FILE, mark) });
    let count = arrivals(&mut session, &step(from), |session, before, after| {
        assert_eq!((after.thread, &after.reason), (before.thread, &StopReason::Step), "{after:?}");
        look(session, after);
    });
    assert_eq!(count, (THREADS * ROUNDS, Event::Exited(3)));
}

fn is_at(stop: &Stop, function: &str, line: u32) {
    assert_eq!((function_of(&stop.frame), line_of(&stop.frame)), (function, line), "{stop:?}");
}

fn through_the_linkage_table(kind: Kind) {
    stepped(kind, "linked", "linked", None, StepKind::Into, |_, stop| is_at(stop, "plugin", 7));
}

fn past_a_function_without_lines(kind: Kind) {
    let behind = marks::line(FILE, "gone");
    stepped(kind, "bare", "bare", None, StepKind::Into, |_, stop| is_at(stop, "gone", behind));
}

fn within_an_inlined_function(kind: Kind) {
    let inside = marks::line(FILE, "inside");
    stepped(kind, "folded", "inside", None, StepKind::Into, |session, stop| {
        is_at(stop, "folded", inside + 1);
        assert_eq!(function_of(&session.stack(0)[1]), "gone");
    });
}

fn over_its_own_recursion(kind: Kind) {
    let back = marks::line(FILE, "back");
    stepped(kind, "recursive", "deeper", Some("n == 2"), StepKind::Over, |session, stop| {
        is_at(stop, "recursive", back);
        assert_eq!((session.integer("n"), session.integer("below")), (2, 2));
    });
}

fn over_a_signal_handler(kind: Kind) {
    let behind = marks::line(FILE, "raises") + 1;
    stepped(kind, "signalled", "raises", None, StepKind::Over, |session, stop| {
        is_at(stop, "signalled", behind);
        assert_eq!(session.integer("handled - before"), 1);
    });
}

/// gdb cannot follow a jump if the C library has no probe for it.
#[test]
fn over_a_long_jump() {
    let lands = marks::line(FILE, "asks");
    stepped(Kind::Native, "jumped", "jumps", None, StepKind::Over, |_, stop| is_at(stop, "jumped", lands));
}

/// Values only grow, and each stop continues from the previous one up to the last: simultaneous changes may be one stop.
/// gdb 13, at its own prompt too, misses some that happen while it stops the other threads.
fn a_watched_counter(kind: Kind) {
    let mut session = begun(kind, &ROUNDS.to_string());
    assert_eq!(session.arm(watch(1, WatchAccess::Change, "total")), Armed::Hardware);
    let misses = kind == Kind::Gdb;
    let mut seen = 0;
    let end = loop {
        let stop = match next(&mut session, Operation::Go) {
            Ok(stop) => stop,
            Err(end) => break *end,
        };
        let (_, old, new) = change(&stop.reason);
        let (old, new): (usize, usize) = (old.parse().unwrap(), new.parse().unwrap());
        assert!(old == seen || misses && old > seen, "{stop:?} after {seen}");
        assert!(new > old, "{stop:?}");
        seen = new;
    };
    assert_eq!(end, Event::Exited(3));
    let all = THREADS * ROUNDS;
    assert!(seen == all || misses && (1..all).contains(&seen), "the last stop showed {seen} of {all}");
}

/// Every thread's event is caught, each time; returns all of them.
fn caught(kind: Kind, way: &str, what: &str) -> Vec<Caught> {
    let library = build("gcc", "plugin.c", &["-g", "-O0", "-shared", "-fPIC"]);
    let copies = tempfile::tempdir().unwrap();
    for number in 0..THREADS {
        std::fs::copy(&library, copies.path().join(format!("libcopy{number}"))).unwrap();
    }
    let program = build("g++", "threads_catches.cpp", &["-g", "-O0", "-pthread", "-ldl"]).display().to_string();
    let library = copies.path().join("libcopy").display().to_string();
    let mut session = Session::new(kind);
    let arguments = vec![way.to_owned(), ROUNDS.to_string(), library];
    session.launch(LaunchSpec { program, arguments, ..LaunchSpec::default() }, 1);
    session.stop(0);
    session.arm(BreakpointRequest::at(BreakpointId(1), Point::Catch(Catch::parse(what).unwrap())));
    let mut all = Vec::new();
    loop {
        match next(&mut session, Operation::Go) {
            Ok(Stop { reason: StopReason::Caught(BreakpointId(1), caught), .. }) => all.push(caught),
            Ok(other) => panic!("{other:?}"),
            Err(end) => {
                assert_eq!(*end, Event::Exited(3));
                return all;
            }
        }
    }
}

fn thrown_exceptions(kind: Kind) {
    assert_eq!(caught(kind, "throw", "throw"), vec![Caught::Thrown; THREADS * ROUNDS]);
}

fn handled_exceptions(kind: Kind) {
    assert_eq!(caught(kind, "throw", "catch"), vec![Caught::Handled; THREADS * ROUNDS]);
}

fn forks(kind: Kind) {
    assert_eq!(caught(kind, "fork", "fork"), vec![Caught::Forked; THREADS * ROUNDS]);
    assert_eq!(caught(kind, "vfork", "vfork"), vec![Caught::Vforked; THREADS * ROUNDS]);
}

fn libraries(kind: Kind) {
    let loaded = caught(kind, "load", "load libcopy*");
    let names = loaded.iter().map(|caught| if let Caught::Loaded(names) = caught { names.len() } else { 0 });
    assert_eq!(names.sum::<usize>(), THREADS * ROUNDS, "{loaded:?}");
}
