//! Watchpoints and catchpoints with the gdb engine, and the few things that engine cannot do.

use crate::{
    session::{Kind, Session, on_function, on_mark},
    support::{
        marks,
        points::{change, text, watch},
    },
};
use rankscope::model::{
    Armed, BreakpointId, BreakpointRequest, Catch, Caught, CaughtSignals, ErrorCode, Event, LaunchSpec, Operation,
    Point, ProcessSet, Rank, SignalName, StopReason, ThreadId, WatchAccess, Watched,
};

const WATCHED: &str = "watched.c";

fn catch(id: u32, catch: Catch) -> BreakpointRequest {
    BreakpointRequest::at(BreakpointId(id), Point::Catch(catch))
}

fn launched(file: &str, arguments: &[&str]) -> Session {
    let mut session = Session::new(Kind::Gdb);
    session.launch(Kind::Gdb.spec(file, arguments), 1);
    session.stop(0);
    session
}

/// The old and new value at the next stop, and its line.
#[track_caller]
fn next_change(session: &mut Session) -> (String, String, u32) {
    let stop = session.go(0);
    let line = crate::session::line_of(&stop.frame);
    let (_, old, new) = change(&stop.reason);
    (old, new, line)
}

#[test]
fn changes_have_both_values() {
    let mut session = launched(WATCHED, &[]);
    assert_eq!(session.arm(watch(4, WatchAccess::Change, "global")), Armed::Hardware);
    assert_eq!(next_change(&mut session), ("1".into(), "2".into(), marks_after("first")));
    assert_eq!(next_change(&mut session), ("2".into(), "3".into(), marks_after("second")));
    session.ok(&ProcessSet::one(Rank(0)), Operation::DeleteBreakpoint(BreakpointId(4)));
    assert!(matches!(session.go_to_end(0), Event::Exited(_)));
}

/// The line after the one with a comment.
#[track_caller]
fn marks_after(comment: &str) -> u32 {
    let source = std::fs::read_to_string(marks::source(WATCHED)).unwrap();
    let comment = format!("/* {comment} */");
    let at = source.lines().position(|line| line.contains(&comment)).unwrap();
    at as u32 + 2
}

/// True if a point is known to be used up; a client that sees the stop has been told.
fn is_gone(session: &Session, id: u32) -> bool {
    session.events[&Rank(0)].iter().any(|(_, event)| *event == Event::BreakpointGone(BreakpointId(id)))
}

#[test]
fn pointers_and_conditions() {
    let mut session = launched(WATCHED, &[]);
    session.arm(watch(1, WatchAccess::Change, "at"));
    let (old, new, _) = next_change(&mut session);
    assert!(old.starts_with("(struct cell *) 0x") && old.contains("<cells>"), "{old}");
    assert!(new.contains("<cells+8>"), "{new}");
    session.arm(BreakpointRequest { condition: Some("sum > 100".into()), ..watch(2, WatchAccess::Change, "sum") });
    session.arm(BreakpointRequest { temporary: true, ..watch(3, WatchAccess::Change, "cells[1].content") });
    assert_eq!(next_change(&mut session), ("20".into(), "21".into(), marks_after("behind it again")));
    assert!(is_gone(&session, 3));
    let bad = BreakpointRequest { condition: Some("sum >".into()), ..watch(5, WatchAccess::Change, "sum") };
    session.fails(0, Operation::SetBreakpoint(bad));
}

#[test]
fn reads_are_accesses() {
    let mut session = launched(WATCHED, &[]);
    session.arm(watch(1, WatchAccess::Read, "global"));
    // The processor cannot watch reads alone: a write of the same value stops, too.
    for seen in ["2", "3"] {
        let reason = session.go(0).reason;
        let StopReason::Watchpoint(BreakpointId(1), Watched::Accessed { value }) = &reason else {
            panic!("{reason:?}")
        };
        assert_eq!(text(value), seen);
    }
}

#[test]
fn one_of_a_local_ends_with_its_frame() {
    let mut session = launched(WATCHED, &[]);
    session.break_at(on_function(1, "scoped"));
    session.go(0);
    session.arm(watch(2, WatchAccess::Change, "local"));
    assert_eq!(next_change(&mut session).1, "4");
    assert_eq!(next_change(&mut session).1, "6");
    assert_eq!(next_change(&mut session).1, "18");
    assert_eq!(session.go(0).reason, StopReason::Watchpoint(BreakpointId(2), Watched::ScopeEnded));
    assert!(is_gone(&session, 2));
    assert!(matches!(session.go_to_end(0), Event::Exited(_)));
}

#[test]
fn what_cannot_be_watched_is_an_error() {
    let mut session = launched(WATCHED, &[]);
    let failure = session.fails(0, Operation::SetBreakpoint(watch(1, WatchAccess::Change, "nonesuch")));
    assert_eq!(failure.code, ErrorCode::UNKNOWN_VARIABLE);
    session.fails(0, Operation::SetBreakpoint(watch(1, WatchAccess::Change, "1 + 1")));
}

#[test]
fn signals_that_are_caught() {
    let mut session = launched("contract.c", &["signal"]);
    let name = SignalName::parse("USR1").unwrap();
    assert_eq!(session.arm(catch(1, Catch::Signal(CaughtSignals::These(vec![name.clone()])))), Armed::Events);
    assert_eq!(session.go(0).reason, StopReason::Caught(BreakpointId(1), Caught::Signal(name)));
    session.ok(&ProcessSet::one(Rank(0)), Operation::DeleteBreakpoint(BreakpointId(1)));
    session.arm(catch(2, Catch::Signal(CaughtSignals::Usual)));
    let name = SignalName::parse("USR2").unwrap();
    assert_eq!(session.go(0).reason, StopReason::Caught(BreakpointId(2), Caught::Signal(name)));
}

#[test]
fn forks_that_are_caught() {
    let mut session = launched("fork_exec.c", &[]);
    session.arm(catch(1, Catch::Fork));
    session.arm(catch(2, Catch::Vfork));
    assert_eq!(session.go(0).reason, StopReason::Caught(BreakpointId(1), Caught::Forked));
    assert_eq!(session.go(0).reason, StopReason::Caught(BreakpointId(2), Caught::Vforked));
}

#[test]
fn an_exec_is_told_and_caught_when_it_is_to_be() {
    let executed = crate::support::build::plain("executed.c").canonicalize().unwrap().display().to_string();
    // By the first thread: gdb 13 may miss an exec by another thread.
    let mut session = launched("exec_by_thread.c", &[&executed, "leader"]);
    session.arm(catch(3, Catch::Exec));
    assert_eq!(session.go(0).reason, StopReason::Caught(BreakpointId(3), Caught::Executed(executed.clone())));
    let told = |(_, event): &(_, Event)| *event == Event::Executed(executed.clone());
    assert!(session.events[&Rank(0)].iter().any(told));
    session.break_at(on_function(4, "main"));
    assert_eq!(session.go(0).reason, StopReason::Breakpoint(BreakpointId(4)));
}

#[test]
fn the_list_of_what_it_does_not_do() {
    let mut session = launched(WATCHED, &[]);
    let of_a_thread = BreakpointRequest { thread: Some(ThreadId(1)), ..watch(2, WatchAccess::Change, "global") };
    let exec_if = BreakpointRequest { condition: Some("global > 1".to_owned()), ..catch(3, Catch::Exec) };
    for (request, words) in [(of_a_thread, "single thread"), (exec_if, "conditions")] {
        let failure = session.fails(0, Operation::SetBreakpoint(request));
        assert_eq!(failure.code, ErrorCode::NOT_IMPLEMENTED, "{failure:?}");
        assert!(failure.message.contains(words), "{failure:?}");
    }
    // Nothing of it is left behind.
    assert!(matches!(session.go_to_end(0), Event::Exited(_)));
}

/// gdb gives up the watchpoint where optimised code does not keep the variable, and reports it in words only.
#[test]
fn a_watch_that_gdb_gives_up_is_said_to_be_gone() {
    let program = crate::support::build::build("gcc", "ranged.c", &["-g", "-O2"]);
    let mut session = Session::new(Kind::Gdb);
    session.launch(LaunchSpec { program: program.display().to_string(), ..LaunchSpec::default() }, 1);
    session.stop(0);
    session.break_at(on_mark(1, "ranged.c", "counted"));
    session.go(0);
    assert!(matches!(session.arm(watch(2, WatchAccess::Change, "count")), Armed::Software(_)));
    let (_, old, new) = change(&session.go(0).reason);
    assert_eq!((old.as_str(), new.as_str()), ("3", "15"));
    assert_eq!(session.go(0).reason, StopReason::Watchpoint(BreakpointId(2), Watched::GivenUp));
    assert!(is_gone(&session, 2));
    assert_eq!(session.go_to_end(0), Event::Exited(0));
}
