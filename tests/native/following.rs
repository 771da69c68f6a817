//! The process followed after a fork; the one detached has none of our breakpoints in it.

use crate::driver::{Built, Session, await_file, build, line_of, place, request};
use crate::support::wait::wait_for;
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use rankscope::model::{
    BreakpointId, BreakpointRequest, Catch, Caught, Context, Event, Follow, LaunchSpec, Operation, Point, RunSettings,
    StepKind, StopReason,
};

const SOURCE: &str = include_str!("../programs/followed.c");

/// A program stopped in `main`, with threads that hit the breakpoints all the time.
fn begun(program: &Built, way: &str, threads: u32, follow: Follow) -> Session {
    let result = program.directory.path().join("result").display().to_string();
    let _ = std::fs::remove_file(&result);
    let mut session = Session::launch_spec(
        1,
        LaunchSpec {
            program: program.path.display().to_string(),
            arguments: vec![way.to_owned(), threads.to_string(), result],
            settings: RunSettings { follow, ..RunSettings::default() },
            ..LaunchSpec::default()
        },
    );
    session.stop(0);
    session
}

fn conditional(id: u32, condition: &str) -> BreakpointRequest {
    BreakpointRequest { condition: Some(condition.to_owned()), ..request(id, "visit") }
}

/// The number in a message about a process.
fn process_of(session: &mut Session, words: &str) -> i32 {
    let event = session.event(0, |event| matches!(event, Event::Message(_, text) if text.contains(words)));
    let Event::Message(_, text) = event else { panic!() };
    let behind = text.split("process ").nth(1).unwrap();
    behind.split(|c: char| !c.is_ascii_digit()).next().unwrap().parse().unwrap()
}

/// The result of the parent, which is no longer debugged.
fn result_of_parent(program: &Built) -> String {
    let path = program.directory.path().join("result");
    await_file(&path);
    wait_for("the parent to write its result", || {
        Some(std::fs::read_to_string(&path).unwrap()).filter(|t| t.ends_with('\n'))
    })
}

#[test]
fn the_child_is_followed_and_the_parent_goes_on_clean() {
    let program = build(SOURCE, &[]);
    for (threads, rounds) in [(0, 1), (8, 12)] {
        for (way, argument, code) in [("fork", 4, 5), ("vfork", 6, 7), ("vfork-exec", 30, 31)] {
            for _ in 0..rounds {
                let mut session = begun(&program, way, threads, Follow::Child);
                session.set(0, conditional(1, &format!("n == {argument}")));
                session.go(0);
                let child = process_of(&mut session, "now debugging child");
                let stop = session.stop(0);
                assert_eq!((stop.reason, stop.thread.0), (StopReason::Breakpoint(BreakpointId(1)), 1), "{way}");
                let line = std::fs::read_to_string(format!("/proc/{child}/stat")).unwrap();
                assert!(line.contains(") t "), "{way}: {line}");
                session.go(0);
                assert_eq!(session.end(0), Event::Exited(code), "{way}, {threads} threads");
                assert_eq!(result_of_parent(&program), format!("{}\n", 41 + code), "{way}, {threads} threads");
            }
        }
    }
}

#[test]
fn a_next_over_the_fork_goes_on_in_the_child() {
    let program = build(SOURCE, &[]);
    let mut session = begun(&program, "fork", 0, Follow::Child);
    let line = line_of(SOURCE, "/* BREAK fork */");
    session.breakpoint(0, 1, &format!("program.c:{line}"));
    session.go(0);
    session.stop(0);
    for (kind, mark) in
        [(StepKind::Over, "/* after */"), (StepKind::Over, "/* child */"), (StepKind::Into, "/* visit */")]
    {
        session.ok(0, Operation::Step { kind, count: 1, context: Context::default() });
        let stop = session.stop(0);
        assert_eq!((stop.reason.clone(), place(&stop).1), (StopReason::Step, line_of(SOURCE, mark)));
    }
    session.go(0);
    assert_eq!(session.end(0), Event::Exited(5));
    assert_eq!(result_of_parent(&program), "46\n");
}

#[test]
fn what_changes_while_a_fork_is_caught_holds_in_the_child() {
    let program = build(SOURCE, &[]);
    let mut session = begun(&program, "fork", 3, Follow::Child);
    session.set(0, conditional(1, "n == 4"));
    session.arm(BreakpointRequest { point: Point::Catch(Catch::Fork), ..request(2, "main") });
    session.go(0);
    assert_eq!(session.stop(0).reason, StopReason::Caught(BreakpointId(2), Caught::Forked));
    session.ok(0, Operation::DeleteBreakpoint(BreakpointId(1)));
    session.breakpoint(0, 3, &format!("program.c:{}", line_of(SOURCE, "/* child */")));
    session.go(0);
    assert_eq!(session.stop(0).reason, StopReason::Breakpoint(BreakpointId(3)));
    session.go(0);
    assert_eq!(session.end(0), Event::Exited(5));
    assert_eq!(result_of_parent(&program), "46\n");
}

#[test]
fn a_rank_that_is_let_go_at_a_fork_goes_on_with_its_child() {
    let program = build(SOURCE, &[]);
    for way in ["fork", "vfork"] {
        let mut session = begun(&program, way, 2, Follow::Child);
        session.breakpoint(0, 1, "visit");
        session.ok(0, Operation::DeleteBreakpoint(BreakpointId(1)));
        session.set(0, conditional(3, "n > 1"));
        for (id, catch) in [(4, Catch::Fork), (5, Catch::Vfork)] {
            session.arm(BreakpointRequest { point: Point::Catch(catch), ..request(id, "main") });
        }
        session.go(0);
        assert!(matches!(session.stop(0).reason, StopReason::Caught(..)));
        session.ok(0, Operation::Detach);
        assert_eq!(session.end(0), Event::Detached);
        assert_eq!(result_of_parent(&program), if way == "fork" { "46\n" } else { "48\n" });
    }
}

#[test]
fn of_both_the_child_is_kept_stopped_and_clean() {
    let program = build(SOURCE, &[]);
    for (way, code) in [("fork", 46), ("vfork-exec", 72)] {
        let mut session = begun(&program, way, 0, Follow::Both);
        session.set(0, conditional(1, "n == 4 || n == 30"));
        session.go(0);
        let child = process_of(&mut session, "stays stopped");
        wait_for("the child to be held", || {
            let line = std::fs::read_to_string(format!("/proc/{child}/stat")).unwrap();
            line.contains(") T ").then_some(())
        });
        kill(Pid::from_raw(child), Signal::SIGCONT).unwrap();
        assert_eq!(session.end(0), Event::Exited(code), "{way}");
    }
}
