//! Many threads at one breakpoint, halted and resumed: neither an arrival nor a thread is lost.

use crate::driver::{Session, build, request};
use rankscope::model::aif::{FormatOptions, format};
use rankscope::model::{Answer, BreakpointId, BreakpointRequest, Context, Event, Operation, StopReason};

const BLOCKED: &str = include_str!("../programs/threads_blocked.c");
const STRESS: &str = include_str!("../programs/threads_stress.c");

fn halt(session: &mut Session) {
    session.ok(0, Operation::Interrupt);
    assert_eq!(session.stop(0).reason, StopReason::Interrupted);
}

fn number(session: &mut Session, expression: &str) -> i64 {
    let expression = expression.to_owned();
    match session.ask(0, Operation::Evaluate { context: Context::default(), expression }) {
        Answer::Data(datum) => format(&datum, &FormatOptions::default()).unwrap().parse().unwrap(),
        other => panic!("{other:?}"),
    }
}

fn threads(session: &mut Session) -> usize {
    match session.ask(0, Operation::Threads) {
        Answer::Threads(threads) => {
            assert!(threads.iter().all(|thread| thread.frame.is_some()), "{threads:?}");
            threads.len()
        }
        other => panic!("{other:?}"),
    }
}

/// The kernel may withdraw a stop request when a thread stops for another reason first: a thread not asked again would
/// run into its `pause` and never stop.
/// again would run into its `pause` and never stop.
#[test]
fn threads_that_arrive_and_then_block_are_all_halted() {
    let program = build(BLOCKED, &[]);
    for _ in 0..20 {
        let mut session = Session::launch(&program.path, 1);
        session.stop(0);
        session.set(0, BreakpointRequest { condition: Some("n < 0".to_owned()), ..request(1, "arrive") });
        for _ in 0..12 {
            session.go(0);
            halt(&mut session);
        }
        session.shutdown(true);
    }
}

#[test]
fn no_arrival_of_32_threads_is_lost() {
    let program = build(STRESS, &["-g", "-O1"]);
    let mut session = Session::launch(&program.path, 1);
    session.stop(0);
    // Never true; its side effect counts the evaluations.
    let condition = Some("(seen = seen + 1) < 0".to_owned());
    session.set(0, BreakpointRequest { condition, ..request(1, "arrive") });
    session.breakpoint(0, 2, "check");
    for _ in 0..10 {
        session.go(0);
        session.ok(0, Operation::Interrupt);
        match session.stop(0).reason {
            StopReason::Interrupted => assert!((1..=33).contains(&threads(&mut session))),
            StopReason::Breakpoint(_) => break,
            other => panic!("{other:?}"),
        }
    }
    loop {
        if number(&mut session, "arrived") == 32 * 400 {
            break;
        }
        session.go(0);
        assert!(matches!(session.stop(0).reason, StopReason::Breakpoint(_)));
    }
    assert_eq!(number(&mut session, "seen"), 32 * 400);
    assert_eq!(threads(&mut session), 33);
    session.ok(0, Operation::DeleteBreakpoint(BreakpointId(2)));
    session.go(0);
    assert_eq!(session.end(0), Event::Exited(0));
}
