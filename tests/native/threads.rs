//! Many threads: none misses a breakpoint, all stop together, each can be stepped.

use crate::driver::{Session, await_file, build, line_of, place, request};
use rankscope::model::{
    Answer, BreakpointRequest, Context, Event, Operation, StepKind, StopReason, ThreadId, ThreadInfo,
};

const MANY: &str = include_str!("../programs/threads_many.c");

/// Counts arrivals by an ignore count that only the very last one exceeds: if one is missed, there is no stop; if one
/// is counted twice, there is another stop.
fn count_arrivals(options: &[&str], location: &str) {
    let program = build(MANY, options);
    let mut session = Session::launch(&program.path, 1);
    session.stop(0);
    let ignore = 8 * 2500 - 1;
    assert_eq!(session.set(0, BreakpointRequest { ignore, ..request(1, location) }), 1);
    session.go(0);
    assert!(matches!(session.stop(0).reason, StopReason::Breakpoint(_)));
    session.go(0);
    assert_eq!(session.end(0), Event::Exited(0));
}

#[test]
fn no_thread_misses_a_breakpoint() {
    count_arrivals(&["-g", "-O0"], "arrive");
}

#[test]
fn no_thread_misses_a_breakpoint_at_the_entry_of_position_dependent_code() {
    count_arrivals(&["-g", "-O1", "-no-pie"], "*arrive");
}

#[test]
fn no_thread_misses_a_breakpoint_on_a_call_or_a_branch() {
    let call = format!("program.c:{}", line_of(MANY, "        arrive(i);"));
    count_arrivals(&["-g", "-O2", "-fno-inline", "-fno-ipa-cp"], &call);
}

const STAGED: &str = include_str!("../programs/threads_staged.c");

fn threads(session: &mut Session) -> Vec<ThreadInfo> {
    match session.ask(0, Operation::Threads) {
        Answer::Threads(threads) => threads,
        other => panic!("{other:?}"),
    }
}

#[test]
fn all_threads_stop_and_the_one_that_arrived_is_stepped() {
    let program = build(STAGED, &[]);
    let mut session = Session::launch(&program.path, 1);
    session.stop(0);
    session.breakpoint(0, 1, "work");
    let mut arrived = Vec::new();
    for _ in 0..3 {
        session.go(0);
        let stop = session.stop(0);
        assert_eq!(place(&stop), ("work".to_owned(), line_of(STAGED, "/* first */")));
        let all = threads(&mut session);
        assert_eq!(all.iter().map(|thread| thread.id.0).collect::<Vec<_>>(), [1, 2, 3, 4]);
        assert!(all.iter().all(|thread| thread.frame.is_some()));
        assert_eq!(all.iter().find(|thread| thread.current).map(|thread| thread.id), Some(stop.thread));
        arrived.push(stop.thread);
        let context = Context { thread: Some(stop.thread), frame: 0 };
        session.ok(0, Operation::Step { kind: StepKind::Over, count: 1, context });
        // Another thread may arrive first, which ends the step, as in gdb.
        let next = session.stop(0);
        match next.reason {
            StopReason::Step => {
                assert_eq!((place(&next).1, next.thread), (line_of(STAGED, "/* second */"), stop.thread));
            }
            StopReason::Breakpoint(_) => arrived.push(next.thread),
            ref other => panic!("{other:?}"),
        }
        if arrived.len() == 3 {
            break;
        }
    }
    arrived.sort_unstable();
    assert_eq!(arrived, [ThreadId(2), ThreadId(3), ThreadId(4)]);
    session.ok(0, Operation::DeleteBreakpoint(rankscope::model::BreakpointId(1)));
    // Endless threads, halted again and again.
    for _ in 0..50 {
        session.go(0);
        session.ok(0, Operation::Interrupt);
        assert_eq!(session.stop(0).reason, StopReason::Interrupted);
        assert!(threads(&mut session).iter().all(|thread| thread.frame.is_some()));
    }
    session.ok(0, Operation::Terminate);
    assert!(matches!(session.end(0), Event::Killed(_)));
}

const LEADERLESS: &str = include_str!("../programs/threads_leaderless.c");

#[test]
fn a_process_whose_first_thread_has_ended_still_stops() {
    let program = build(LEADERLESS, &[]);
    let mut session = Session::launch(&program.path, 1);
    session.stop(0);
    session.breakpoint(0, 1, &format!("program.c:{}", line_of(LEADERLESS, "/* turn */")));
    session.go(0);
    session.stop(0);
    session.ok(0, Operation::DeleteBreakpoint(rankscope::model::BreakpointId(1)));
    // The second thread may arrive while the first one is still on its way out.
    while threads(&mut session).iter().any(|thread| thread.id == ThreadId(1)) {
        session.go(0);
        session.ok(0, Operation::Interrupt);
        assert_eq!(session.stop(0).reason, StopReason::Interrupted);
    }
    for _ in 0..10 {
        session.go(0);
        session.ok(0, Operation::Interrupt);
        let stop = session.stop(0);
        assert_eq!((stop.reason, stop.thread), (StopReason::Interrupted, ThreadId(2)));
    }
    // gdb forgets the first thread, too.
    assert_eq!(threads(&mut session).iter().map(|thread| thread.id).collect::<Vec<_>>(), [ThreadId(2)]);
    session.ok(0, Operation::Terminate);
    assert!(matches!(session.end(0), Event::Killed(_)));
}

#[test]
fn interrupted_threads_neither_lose_nor_double_an_arrival() {
    let program = build(MANY, &[]);
    let mut session = Session::launch(&program.path, 1);
    session.stop(0);
    session.set(0, BreakpointRequest { ignore: 8 * 2500 - 1, ..request(1, "arrive") });
    session.go(0);
    loop {
        session.ok(0, Operation::Interrupt);
        match session.stop(0).reason {
            StopReason::Interrupted => session.go(0),
            StopReason::Breakpoint(_) => break,
            other => panic!("{other:?}"),
        }
    }
    session.go(0);
    assert_eq!(session.end(0), Event::Exited(0));
}

const LEAVES: &str = include_str!("../programs/threads_detached.c");

#[test]
fn a_process_is_let_go_while_its_threads_arrive() {
    let program = build(LEAVES, &[]);
    for _ in 0..5 {
        let left = program.directory.path().join("left");
        let _ = std::fs::remove_file(&left);
        let mut session = Session::launch_where_it_is(&program);
        session.stop(0);
        session.set(0, BreakpointRequest { ignore: u64::MAX, ..request(1, "arrive") });
        session.go(0);
        session.ok(0, Operation::Detach);
        assert_eq!(session.end(0), Event::Detached);
        await_file(&left);
        assert_eq!(std::fs::read_to_string(&left).unwrap(), "0");
    }
}
