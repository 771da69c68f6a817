//! Signals that stop several threads at once, while the rank moves from one engine to another.

use crate::handover::{begun, hand, other, pid_of};
use crate::session::{Session, all, on_function};
use crate::support::build;
use rankscope::engine::gdb::GdbOptions;
use rankscope::model::{BreakpointId, EngineName, Event, Operation, SignalName, StopReason, ThreadId};
use std::collections::BTreeSet;
use std::process::Command;

/// Stopped in its first thread while its three others work; returns their kernel ids.
fn at_work(own: EngineName) -> (Session, Vec<String>) {
    let mut session = begun(own, GdbOptions::default(), "threads_signalled.c", &[], 1);
    session.break_at(on_function(1, "at_work"));
    assert_eq!(session.go(0).reason, StopReason::Breakpoint(BreakpointId(1)));
    session.ok(&all(1), Operation::DeleteBreakpoint(BreakpointId(1)));
    let pid = pid_of(&session, 0).to_string();
    let entries = std::fs::read_dir(format!("/proc/{pid}/task")).unwrap().flatten();
    let tids: Vec<String> = entries.map(|entry| entry.file_name().into_string().unwrap()).collect();
    let workers: Vec<String> = tids.into_iter().filter(|tid| *tid != pid).collect();
    assert_eq!(workers.len(), 3);
    (session, workers)
}

/// Signals them while they are stopped: each stops for it when resumed.
fn signal(session: &Session, threads: &[String]) {
    let mut sender = Command::new(build::plain("signals_threads.c"));
    assert!(sender.arg(pid_of(session, 0).to_string()).args(threads).status().unwrap().success());
}

/// The thread that the next signal stops.
#[track_caller]
fn stopped_by_signal(session: &mut Session) -> ThreadId {
    let stop = session.go(0);
    assert_eq!(stop.reason, StopReason::Signal(SignalName::parse("USR1").unwrap()));
    stop.thread
}

/// One signal is reported, the others wait in the engine: each is reported once, by the engine that has the rank then,
/// and each thread receives its own once.
fn each_is_told_once_and_got_once(own: EngineName) {
    let (mut session, workers) = at_work(own);
    signal(&session, &workers);
    let mut told = BTreeSet::new();
    let mut under = own;
    for turn in 0..workers.len() {
        let thread = stopped_by_signal(&mut session);
        assert!(thread != ThreadId(1) && told.insert(thread), "turn {turn}: thread {thread} again");
        under = other(under);
        hand(&mut session, 0, under);
    }
    assert_eq!(session.go_to_end(0), Event::Exited(0));
}

#[test]
fn each_is_told_once_and_got_once_from_native() {
    each_is_told_once_and_got_once(EngineName::Native);
}

#[test]
fn each_is_told_once_and_got_once_from_gdb() {
    each_is_told_once_and_got_once(EngineName::Gdb);
}

/// A thread other than the stopped one has a signal waiting when the rank moves: the other engine reports it.
#[test]
fn one_of_another_thread_is_told_by_the_next_engine() {
    for own in [EngineName::Native, EngineName::Gdb] {
        let (mut session, workers) = at_work(own);
        let mut told = BTreeSet::new();
        let mut under = own;
        for worker in &workers {
            signal(&session, std::slice::from_ref(worker));
            under = other(under);
            hand(&mut session, 0, under);
            assert!(told.insert(stopped_by_signal(&mut session)), "under {under}");
        }
        assert_eq!(session.go_to_end(0), Event::Exited(0), "from {own}");
    }
}

/// A thread's signal remains its own after another thread has stopped.
#[test]
fn one_that_was_told_before_is_not_told_again() {
    for own in [EngineName::Native, EngineName::Gdb] {
        let (mut session, workers) = at_work(own);
        signal(&session, &workers);
        let first = stopped_by_signal(&mut session);
        hand(&mut session, 0, other(own));
        hand(&mut session, 0, own);
        let second = stopped_by_signal(&mut session);
        hand(&mut session, 0, other(own));
        hand(&mut session, 0, own);
        let third = stopped_by_signal(&mut session);
        assert_eq!(BTreeSet::from([first, second, third]).len(), 3);
        hand(&mut session, 0, other(own));
        assert_eq!(session.go_to_end(0), Event::Exited(0), "from {own}");
    }
}
