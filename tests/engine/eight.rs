//! Operations at a breakpoint that eight threads hit all the time: no arrival is lost.

use crate::handover::pid_of;
use crate::session::{Kind, Session, function_of, integer_of, line_of, on_mark};
use crate::support::marks;
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use rankscope::model::{
    Answer, BreakpointId, BreakpointRequest, Catch, Caught, Context, Event, LocationSpec, Operation, PointAction, Rank,
    SignalName, StepKind, Stop, StopReason,
};

const FILE: &str = "threads_eight.c";
/// Number of threads, each of which arrives this often.
pub const THREADS: usize = 8;
const ROUNDS: usize = 4;

of_processes!(
    going_on,
    stepping_into,
    stepping_over,
    finishing,
    running_to_the_caller,
    ends_of_threads_under_a_step,
    catching_signals,
    tracing,
    names_of_threads,
    killed_by_somebody_while_all_are_stopped,
);

pub fn begun(kind: Kind, rounds: &str) -> Session {
    let mut session = Session::new(kind);
    session.launch(kind.spec(FILE, &[rounds]), 1);
    session.stop(0);
    session
}

/// Resumes the rank; returns its next stop, or its end.
pub fn next(session: &mut Session, operation: Operation) -> Result<Stop, Box<Event>> {
    session.ok(&crate::session::all(1), operation);
    session.event(Rank(0), "a stop or an end", |event| match event {
        Event::Stopped(stop) => Some(Ok(stop.clone())),
        Event::Exited(_) | Event::Killed(_) | Event::Lost(_) => Some(Err(Box::new(event.clone()))),
        _ => None,
    })
}

/// Applies the operation to each thread that arrives, and counts arrivals up to the end of the process. `look` gets
/// stops that are not arrivals, after `operation` in the thread that arrived.
pub fn arrivals(
    session: &mut Session,
    operation: &Operation,
    mut look: impl FnMut(&mut Session, &Stop, &Stop),
) -> (usize, Event) {
    let (mut count, mut arrived) = (0, None);
    loop {
        let asked = if arrived.is_some() { operation.clone() } else { Operation::Go };
        let stop = match next(session, asked) {
            Ok(stop) => stop,
            Err(end) => return (count, *end),
        };
        if stop.reason == StopReason::Breakpoint(BreakpointId(1)) {
            count += 1;
            arrived = Some(stop);
        } else {
            let before = arrived.take().unwrap_or_else(|| panic!("{stop:?}"));
            look(session, &before, &stop);
        }
    }
}

/// Every thread's arrivals are seen, though `operation` moves each on.
fn led_on(kind: Kind, operation: &Operation, look: impl FnMut(&mut Session, &Stop, &Stop)) {
    let mut session = begun(kind, &ROUNDS.to_string());
    session.break_at(on_mark(1, FILE, "inner"));
    assert_eq!(arrivals(&mut session, operation, look), (THREADS * ROUNDS, Event::Exited(3)));
}

pub fn step(kind: StepKind) -> Operation {
    Operation::Step { kind, count: 1, context: Context::default() }
}

fn going_on(kind: Kind) {
    led_on(kind, &Operation::Go, |_, _, stop| panic!("{stop:?}"));
}

/// Checks that the thread that arrived is the one that stepped, to the next line.
fn is_behind(before: &Stop, after: &Stop) {
    assert_eq!((after.thread, &after.reason), (before.thread, &StopReason::Step), "{after:?}");
    assert_eq!((function_of(&after.frame), line_of(&after.frame)), ("inner", marks::line(FILE, "inner") + 1));
}

fn stepping_into(kind: Kind) {
    led_on(kind, &step(StepKind::Into), |_, before, after| is_behind(before, after));
}

fn stepping_over(kind: Kind) {
    led_on(kind, &step(StepKind::Over), |_, before, after| is_behind(before, after));
}

fn finishing(kind: Kind) {
    led_on(kind, &step(StepKind::Finish), |session, before, after| {
        assert_eq!((after.thread, function_of(&after.frame)), (before.thread, "work"), "{after:?}");
        let StopReason::Finished(Some(value)) = &after.reason else { panic!("{after:?}") };
        assert_eq!(integer_of(value), session.integer("i") + 1);
    });
}

fn running_to_the_caller(kind: Kind) {
    let line = marks::line(FILE, "counts");
    let until = Operation::Until(LocationSpec::FileLine { file: FILE.to_owned(), line }, Context::default());
    led_on(kind, &until, |_, before, after| {
        assert_eq!((after.thread, function_of(&after.frame)), (before.thread, "work"), "{after:?}");
    });
}

fn ends_of_threads_under_a_step(kind: Kind) {
    let mut session = begun(kind, "1");
    session.break_at(on_mark(1, FILE, "exits"));
    let ended = arrivals(&mut session, &step(StepKind::Over), |_, _, stop| panic!("a thread that has ended: {stop:?}"));
    assert_eq!(ended, (THREADS, Event::Exited(3)));
}

fn catching_signals(kind: Kind) {
    let mut session = begun(kind, "-3");
    session.arm(BreakpointRequest::at(
        BreakpointId(7),
        rankscope::model::Point::Catch(Catch::parse("signal SIGUSR1").unwrap()),
    ));
    let signal = Caught::Signal(SignalName::parse("SIGUSR1").unwrap());
    let mut count = 0;
    let end = loop {
        match next(&mut session, Operation::Go) {
            Ok(stop) => assert_eq!(stop.reason, StopReason::Caught(BreakpointId(7), signal.clone())),
            Err(end) => break *end,
        }
        count += 1;
    };
    assert_eq!((count, end), (THREADS * 3, Event::Exited(3)));
}

fn tracing(kind: Kind) {
    let mut session = begun(kind, "25");
    session
        .break_at(BreakpointRequest { action: PointAction::Trace(vec!["n".to_owned()]), ..on_mark(1, FILE, "inner") });
    assert_eq!(session.go_to_end(0), Event::Exited(3));
    let traced = session.events[&Rank(0)].iter().filter(|(_, event)| matches!(event, Event::Traced(_)));
    assert_eq!(traced.count(), THREADS * 25);
}

fn names_of_threads(kind: Kind) {
    let mut session = begun(kind, "1");
    session.break_at(on_mark(1, FILE, "inner"));
    session.go(0);
    let Answer::Threads(threads) = session.ask(0, Operation::Threads) else { panic!() };
    let mut names: Vec<&str> = threads.iter().map(|thread| thread.name.as_str()).collect();
    names.sort_unstable();
    // All have reached the barrier; the first ones may have ended again.
    let workers = names.iter().filter(|name| name.starts_with("worker-")).count();
    assert!(names.contains(&"threads_eight") && workers > 0, "{names:?}");
    assert_eq!(threads.iter().filter(|thread| thread.current).count(), 1);
}

/// gdb 13 waits forever for the end of such a program.
fn killed_by_somebody_while_all_are_stopped(kind: Kind) {
    for goes_on in [false, true] {
        let mut session = begun(kind, "1");
        session.break_at(on_mark(1, FILE, "inner"));
        session.go(0);
        kill(Pid::from_raw(pid_of(&session, 0) as i32), Signal::SIGKILL).unwrap();
        if goes_on {
            // The end may or may not be known by now.
            session.ask(0, Operation::Go);
        }
        assert_eq!(session.end(0), Event::Killed(SignalName::parse("KILL").unwrap().into()));
    }
}
