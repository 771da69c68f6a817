//! Watchpoints: old and new values, scopes, pointers, no room, many threads.

use crate::driver::{Built, Session, await_file, build, line_of, place, request};
use crate::support::points::{change, text, watch};
use rankscope::model::{
    Answer, Armed, BreakpointId, BreakpointRequest, Context, Event, LaunchSpec, Operation, StopReason, WatchAccess,
    Watched,
};

const WATCHED: &str = include_str!("../programs/watched.c");
const LEAVES: &str = include_str!("../programs/threads_detached.c");
const THREADS: &str = include_str!("../programs/watched_threads.c");

fn changes(id: u32, expression: &str) -> BreakpointRequest {
    watch(id, WatchAccess::Change, expression)
}

fn begun(options: &[&str]) -> (Built, Session) {
    let program = build(WATCHED, options);
    let mut session = Session::launch(&program.path, 1);
    session.stop(0);
    (program, session)
}

fn next_change(session: &mut Session) -> (String, String, u32) {
    session.go(0);
    let stop = session.stop(0);
    let (_, old, new) = change(&stop.reason);
    (old, new, place(&stop).1)
}

fn after(mark: &str) -> u32 {
    line_of(WATCHED, mark) + 1
}

#[test]
fn changes_stop_with_both_values_and_writes_of_the_same_do_not() {
    let (_program, mut session) = begun(&[]);
    assert_eq!(session.arm(changes(1, "global")), Armed::Hardware);
    assert_eq!(next_change(&mut session), ("1".into(), "2".into(), after("/* first */")));
    assert_eq!(next_change(&mut session), ("2".into(), "3".into(), after("/* second */")));
    assert_eq!(next_change(&mut session), ("3".into(), "1".into(), after("/* not local */")));
    session.go(0);
    assert!(matches!(session.end(0), Event::Exited(_)));
}

#[test]
fn one_of_a_local_variable_ends_with_its_function() {
    let (_program, mut session) = begun(&[]);
    session.breakpoint(0, 1, "scoped");
    session.go(0);
    session.stop(0);
    assert_eq!(session.arm(changes(2, "local")), Armed::Hardware);
    let (_, new, line) = next_change(&mut session);
    assert_eq!((new.as_str(), line), ("4", line_of(WATCHED, "/* local changes */")));
    assert_eq!(next_change(&mut session), ("4".into(), "6".into(), after("/* local changes */")));
    assert_eq!(next_change(&mut session).1, "18");
    session.go(0);
    let stop = session.stop(0);
    assert_eq!(stop.reason, StopReason::Watchpoint(BreakpointId(2), Watched::ScopeEnded));
    assert_eq!(place(&stop), ("main".to_owned(), line_of(WATCHED, "/* scope */")));
    assert!(session.events[&rankscope::model::Rank(0)].contains(&Event::BreakpointGone(BreakpointId(2))));
    session.go(0);
    assert!(matches!(session.end(0), Event::Exited(_)));
}

#[test]
fn deeper_recursions_do_not_end_a_scope() {
    let (_program, mut session) = begun(&[]);
    session.set(0, BreakpointRequest { temporary: true, ..request(1, "recursive") });
    session.go(0);
    session.stop(0);
    session.arm(changes(2, "mine"));
    assert_eq!(next_change(&mut session).1, "3");
    assert_eq!(next_change(&mut session).1, "6");
    session.go(0);
    let stop = session.stop(0);
    assert_eq!(stop.reason, StopReason::Watchpoint(BreakpointId(2), Watched::ScopeEnded));
    assert_eq!(place(&stop).0, "main");
}

#[test]
fn a_pointer_and_what_is_behind_it_are_watched() {
    let (_program, mut session) = begun(&[]);
    assert_eq!(session.arm(changes(1, "at->content")), Armed::Hardware);
    assert_eq!(next_change(&mut session), ("10".into(), "11".into(), after("/* behind the pointer */")));
    assert_eq!(next_change(&mut session), ("11".into(), "20".into(), after("/* the pointer itself */")));
    assert_eq!(next_change(&mut session), ("20".into(), "21".into(), after("/* behind it again */")));
}

#[test]
fn a_place_is_watched_where_the_pointer_was() {
    let (_program, mut session) = begun(&[]);
    assert_eq!(session.arm(changes(1, "-location at->content")), Armed::Hardware);
    assert_eq!(next_change(&mut session), ("10".into(), "11".into(), after("/* behind the pointer */")));
    assert_eq!(next_change(&mut session), ("11".into(), "12".into(), after("/* not watched any more */")));
    // Enabled again it watches the same address, though the pointer has moved on.
    for enabled in [false, true] {
        session.ok(0, Operation::EnableBreakpoint(BreakpointId(1), enabled));
    }
    let moved = Operation::Evaluate { context: Context::default(), expression: "cells[1].content = 5".to_owned() };
    assert!(matches!(session.ask(0, moved), Answer::Data(_)));
    session.go(0);
    assert_eq!(session.end(0), Event::Exited(27));
}

#[test]
fn reads_and_all_accesses() {
    let (_program, mut session) = begun(&[]);
    session.arm(watch(1, WatchAccess::Read, "global"));
    session.go(0);
    let stop = session.stop(0);
    let StopReason::Watchpoint(_, Watched::Accessed { value }) = &stop.reason else { panic!("{stop:?}") };
    // A write of the same value cannot be told from a read.
    assert_eq!((text(value), place(&stop).1), ("2".to_owned(), line_of(WATCHED, "/* second */")));
    session.go(0);
    let stop = session.stop(0);
    assert_eq!(place(&stop).1, line_of(WATCHED, "/* read */"));

    let (_program, mut session) = begun(&[]);
    session.arm(watch(1, WatchAccess::Any, "global"));
    assert_eq!(next_change(&mut session).1, "2");
    session.go(0);
    let stop = session.stop(0);
    assert!(matches!(stop.reason, StopReason::Watchpoint(_, Watched::Accessed { .. })), "{stop:?}");
    assert_eq!(next_change(&mut session).1, "3");
}

#[test]
fn conditions_and_counts_are_those_of_breakpoints() {
    let (_program, mut session) = begun(&[]);
    session.arm(BreakpointRequest { condition: Some("global == 3".to_owned()), ..changes(1, "global") });
    assert_eq!(next_change(&mut session), ("2".into(), "3".into(), after("/* second */")));

    let (_program, mut session) = begun(&[]);
    session.arm(BreakpointRequest { ignore: 2, ..changes(1, "global") });
    assert_eq!(next_change(&mut session).1, "1");
}

#[test]
fn without_room_it_is_stepped_and_says_so() {
    let (_program, mut session) = begun(&[]);
    let Armed::Software(why) = session.arm(changes(1, "wide")) else { panic!("in hardware") };
    assert!(why.contains("too long for the debug registers"), "{why}");
    session.go(0);
    let stop = session.stop(0);
    let (_, old, new) = change(&stop.reason);
    assert_eq!((old.as_str(), new.as_str()), ("{0, 0, 0, 0, 0, 0, 0, 0}", "{1, 0, 0, 0, 0, 0, 0, 0}"));
    // Without the watchpoint the rest runs at full speed.
    session.ok(0, Operation::DeleteBreakpoint(BreakpointId(1)));
    for (id, cell) in [(2, "wide[1]"), (3, "wide[2]"), (4, "wide[3]"), (5, "wide[4]")] {
        assert_eq!(session.arm(changes(id, cell)), Armed::Hardware);
    }
    let Armed::Software(why) = session.arm(changes(6, "wide[5]")) else { panic!("in hardware") };
    assert!(why.contains("it needs 1 debug registers, 0 are free"), "{why}");
    let refused = session.ask(0, Operation::SetBreakpoint(watch(7, WatchAccess::Read, "wide[6]")));
    assert!(matches!(&refused, Answer::Failed(failure) if failure.message.contains("read/access")), "{refused:?}");
    for id in 2..=6 {
        session.go(0);
        assert_eq!(change(&session.stop(0).reason).0, id);
    }
    session.go(0);
    assert!(matches!(session.end(0), Event::Exited(_)));
}

#[test]
fn what_cannot_change_is_refused() {
    let (_program, mut session) = begun(&[]);
    for (expression, words) in [("3 + 4", "constant"), ("no_such", "No symbol"), ("global +", "")] {
        let answer = session.ask(0, Operation::SetBreakpoint(changes(1, expression)));
        let Answer::Failed(failure) = answer else { panic!("{answer:?}") };
        assert!(failure.message.contains(words), "{failure:?}");
    }
}

#[test]
fn a_disabled_one_is_not_there() {
    let (_program, mut session) = begun(&[]);
    session.arm(changes(1, "global"));
    session.ok(0, Operation::EnableBreakpoint(BreakpointId(1), false));
    session.breakpoint(0, 2, &format!("program.c:{}", line_of(WATCHED, "/* read */")));
    session.go(0);
    assert!(matches!(session.stop(0).reason, StopReason::Breakpoint(_)));
    session.ok(0, Operation::EnableBreakpoint(BreakpointId(1), true));
    assert_eq!(next_change(&mut session).1, "1");
}

#[test]
fn a_variable_in_a_register_is_stepped() {
    let (_program, mut session) = begun(&[]);
    let Armed::Software(why) = session.arm(changes(1, "$rbx & 0")) else { panic!("in hardware") };
    assert!(why.contains("register"), "{why}");
    session.breakpoint(0, 2, "scoped");
    session.go(0);
    assert!(matches!(session.stop(0).reason, StopReason::Breakpoint(_)));
}

/// Old and new values in the order of their reports.
fn reports(locked: &str) -> Vec<(i64, i64)> {
    let program = build(THREADS, &[]);
    let mut session = Session::launch_spec(
        1,
        LaunchSpec {
            program: program.path.display().to_string(),
            arguments: vec![locked.to_owned()],
            ..LaunchSpec::default()
        },
    );
    session.stop(0);
    // Before the threads exist: each gets the debug registers when it starts.
    assert_eq!(session.arm(changes(1, "value")), Armed::Hardware);
    session.breakpoint(0, 2, &format!("program.c:{}", line_of(THREADS, "/* all joined */")));
    let mut seen: Vec<(i64, i64)> = Vec::new();
    loop {
        session.go(0);
        let stop = session.stop(0);
        if matches!(stop.reason, StopReason::Breakpoint(_)) {
            break;
        }
        let (_, old, new) = change(&stop.reason);
        seen.push((old.parse().unwrap(), new.parse().unwrap()));
    }
    let expression = "value".to_owned();
    let Answer::Data(last) = session.ask(0, Operation::Evaluate { context: Context::default(), expression }) else {
        panic!("no value")
    };
    assert_eq!(seen.last().map(|(_, new)| new.to_string()), Some(text(&last)));
    session.go(0);
    assert_eq!(session.end(0), Event::Exited(0));
    seen
}

#[test]
fn a_process_that_is_let_go_has_no_debug_registers_any_more() {
    let program = build(LEAVES, &[]);
    let mut session = Session::launch_where_it_is(&program);
    session.stop(0);
    session.arm(BreakpointRequest { condition: Some("more == 100".to_owned()), ..changes(1, "more") });
    session.go(0);
    session.stop(0);
    session.ok(0, Operation::Detach);
    assert_eq!(session.end(0), Event::Detached);
    let left = program.directory.path().join("left");
    await_file(&left);
}

/// True if each report begins with the value with which the previous one ended.
fn is_a_chain(seen: &[(i64, i64)]) -> bool {
    seen.first().is_none_or(|(old, _)| *old == 0) && seen.windows(2).all(|pair| pair[0].1 == pair[1].0)
}

#[test]
fn no_change_by_eight_threads_is_lost() {
    let seen = reports("1");
    assert!(is_a_chain(&seen), "{seen:?}");
    let mut values: Vec<i64> = seen.iter().map(|(_, new)| *new).collect();
    values.sort_unstable();
    let wanted: Vec<i64> = (1..=8).flat_map(|thread| (1..=40).map(move |i| thread * 1000 + i)).collect();
    assert_eq!(values, wanted);
}

#[test]
fn changes_of_threads_that_race_form_a_chain() {
    let seen = reports("0");
    assert!(is_a_chain(&seen), "{seen:?}");
    assert!(seen.len() >= 40, "{}", seen.len());
}

/// Where the code does not keep the variable it has no new value: gdb ends the watchpoint there.
#[test]
fn a_variable_that_optimised_code_no_longer_has_did_not_change() {
    const RANGED: &str = include_str!("../programs/ranged.c");
    for level in ["-O1", "-O2"] {
        let program = build(RANGED, &["-g", level]);
        let mut session = Session::launch(&program.path, 1);
        session.stop(0);
        session.breakpoint(0, 1, &format!("program.c:{}", line_of(RANGED, "BREAK counted")));
        session.go(0);
        session.stop(0);
        assert!(matches!(session.arm(changes(2, "count")), Armed::Software(_)), "{level}");
        let changed = ("3".to_owned(), "15".to_owned(), line_of(RANGED, "BREAK changed"));
        assert_eq!(next_change(&mut session), changed, "{level}");
        session.go(0);
        let reason = session.stop(0).reason;
        assert!(matches!(reason, StopReason::Watchpoint(_, Watched::ScopeEnded)), "{level}: {reason:?}");
    }
}
