//! Conditions of watchpoints whose variables belong to another frame than the one that writes, with gdb as the judge.

use crate::driver::{Built, Session, build, line_of, place, request};
use crate::judge::{Judge, Ran};
use crate::support::points::watch;
use rankscope::model::{
    Answer, BreakpointId, BreakpointRequest, Context, Event, LaunchSpec, Operation, Point, Stop, StopReason, Watch,
    WatchAccess, Watched,
};

const FAR: &str = include_str!("../programs/watched_far.c");
const OUT_OF_SCOPE: &str = "Watchpoint condition cannot be tested in the current scope";

fn location(mark: &str) -> String {
    format!("program.c:{}", line_of(FAR, mark))
}

fn built(options: &[&str]) -> Built {
    build(FAR, options)
}

fn total(session: &mut Session) -> String {
    let expression = "total".to_owned();
    match session.ask(0, Operation::Evaluate { context: Context::default(), expression }) {
        Answer::Data(value) => crate::support::points::text(&value),
        other => panic!("{other:?}"),
    }
}

/// The next stop or `None` at the end of the program.
fn next(session: &mut Session) -> Option<Stop> {
    session.go(0);
    match session.event(0, |event| matches!(event, Event::Stopped(_) | Event::Exited(_))) {
        Event::Stopped(stop) => Some(stop),
        _ => None,
    }
}

fn begun(program: &Built, mark: &str) -> Session {
    let mut session = Session::launch(&program.path, 1);
    session.stop(0);
    session.set(0, BreakpointRequest { temporary: true, ..request(1, &location(mark)) });
    session.go(0);
    session.stop(0);
    session
}

fn conditional(access: WatchAccess, expression: &str, condition: &str) -> BreakpointRequest {
    BreakpointRequest { condition: Some(condition.to_owned()), ..watch(2, access, expression) }
}

fn command(access: WatchAccess) -> &'static str {
    match access {
        WatchAccess::Change => "watch",
        WatchAccess::Read => "rwatch",
        WatchAccess::Any => "awatch",
    }
}

/// Stops at the same values of `total` as gdb until the program ends; returns the note of each stop.
#[track_caller]
fn judged(program: &Built, mark: &str, access: WatchAccess, expression: &str, condition: &str) -> Vec<Option<String>> {
    let mut judge = Judge::new(&program.path, &[]);
    judge.command(&format!("tbreak {}", location(mark))).unwrap();
    assert!(matches!(judge.run("-exec-run"), Ran::Stopped));
    judge.command(&format!("{} {expression} if {condition}", command(access))).unwrap();
    let mut theirs = Vec::new();
    while let Ran::Stopped = judge.run("-exec-continue") {
        let value = judge.command("output total").unwrap();
        theirs.push(value);
    }

    let mut session = begun(program, mark);
    session.arm(conditional(access, expression, condition));
    let (mut ours, mut notes) = (Vec::new(), Vec::new());
    while let Some(stop) = next(&mut session) {
        ours.push(total(&mut session));
        notes.push(stop.note);
    }
    assert_eq!(ours, theirs, "{} {expression} if {condition} from {mark}", command(access));
    notes
}

#[test]
fn a_condition_on_a_local_of_a_caller_holds_as_in_gdb_wherever_the_write_is() {
    let program = built(&[]);
    for condition in ["rank == 0", "rank == 2 && total > 2", "size == 100 && rank >= 3", "calls == 3", "total == 100"] {
        for (access, expression) in
            [(WatchAccess::Change, "total"), (WatchAccess::Change, "-l total"), (WatchAccess::Any, "total")]
        {
            let notes = judged(&program, "/* begin */", access, expression, condition);
            assert!(!notes.is_empty(), "{condition}");
            let out_of_scope = notes.iter().flatten().all(|note| note == OUT_OF_SCOPE);
            assert!(out_of_scope && notes.iter().flatten().count() <= 3, "{condition}: {notes:?}");
        }
    }
    judged(&program, "/* begin */", WatchAccess::Read, "total", "rank == 3");
}

#[test]
fn in_a_recursion_the_innermost_frame_of_the_function_counts_as_in_gdb() {
    let program = built(&[]);
    for condition in ["mine == 1", "mine == 3", "mine < 2", "depth == 0 && total"] {
        judged(&program, "add(1); /* dug */", WatchAccess::Change, "total", condition);
    }
    judged(&program, "int mine", WatchAccess::Change, "total", "mine == 1");
    judged(&program, "int mine", WatchAccess::Change, "total", "depth == 2");
}

#[test]
fn without_a_frame_of_the_function_it_stops_in_the_words_of_gdb() {
    let program = built(&[]);
    let notes = judged(&program, "/* helps */", WatchAccess::Change, "total", "seen == 1");
    // After `helps` has returned, until it is called again.
    assert_eq!(notes.iter().flatten().next().map(String::as_str), Some(OUT_OF_SCOPE), "{notes:?}");
    assert!(notes.contains(&None), "{notes:?}");
}

#[test]
fn optimized_code_is_judged_as_by_gdb() {
    let program = built(&["-g", "-O1", "-fno-inline"]);
    for condition in ["rank == 2", "size == 100 && rank == 0"] {
        judged(&program, "/* begin */", WatchAccess::Change, "total", condition);
    }
}

#[test]
fn a_changed_condition_is_bound_where_the_rank_is_or_where_the_watchpoint_was_set() {
    let program = built(&[]);
    let mut session = begun(&program, "/* begin */");
    session.arm(watch(2, WatchAccess::Change, "total"));
    assert_eq!(place(&next(&mut session).unwrap()).0, "main");
    let stop = next(&mut session).unwrap();
    assert_eq!(place(&stop).0, "add");
    let condition = |text: &str| Operation::SetCondition(BreakpointId(2), Some(text.to_owned()));
    // A name that only the function has where it was set.
    session.ok(0, condition("size == 100 && calls == 2"));
    let stop = next(&mut session).unwrap();
    assert_eq!((stop.note, total(&mut session)), (None, "4".to_owned()));
    // A name of the function where the rank is now. The next writes are those of the C library, for main.
    session.ok(0, condition("rank == 99 && by == 5"));
    for written in ["100", "0"] {
        let stop = next(&mut session).unwrap();
        assert_eq!((stop.note.as_deref(), total(&mut session).as_str()), (Some(OUT_OF_SCOPE), written));
    }
    let stop = next(&mut session).unwrap();
    assert_eq!((stop.note, total(&mut session)), (None, "12".to_owned()));
    let refused = session.ask(0, condition("nosuch == 1"));
    assert!(matches!(&refused, Answer::Failed(failure) if failure.message.contains("nosuch")), "{refused:?}");
}

/// Both functions have the name.
#[test]
fn a_condition_names_variables_of_the_selected_frame() {
    let program = built(&[]);
    let mut session = begun(&program, "/* in a callee */");
    let expression = "total".to_owned();
    let context = Context { thread: None, frame: 1 };
    let point = Point::Watch(Watch { expression, access: WatchAccess::Change, context });
    let condition = Some("rank == 3".to_owned());
    let request = BreakpointRequest { condition, ..BreakpointRequest::at(BreakpointId(2), point) };
    session.arm(request);
    let stop = next(&mut session).unwrap();
    assert_eq!((stop.note, total(&mut session)), (None, "5".to_owned()));
}

#[test]
fn ignore_counts_count_where_the_condition_holds() {
    let program = built(&[]);
    let mut session = begun(&program, "/* begin */");
    session.arm(BreakpointRequest { ignore: 1, ..conditional(WatchAccess::Change, "total", "rank >= 2") });
    let stop = next(&mut session).unwrap();
    assert!(matches!(stop.reason, StopReason::Watchpoint(BreakpointId(2), Watched::Changed { .. })), "{stop:?}");
    assert_eq!((stop.note, total(&mut session)), (None, "5".to_owned()));
}

#[test]
fn a_condition_set_before_the_start_names_locals_of_the_main_program() {
    let program = built(&[]);
    let spec = LaunchSpec { program: program.path.display().to_string(), ..LaunchSpec::default() };
    let mut session = Session::launch_spec(1, spec);
    session.arm(conditional(WatchAccess::Change, "total", "rank == 3"));
    session.stop(0);
    let stop = next(&mut session).unwrap();
    assert_eq!((stop.note, total(&mut session)), (None, "5".to_owned()));
}
