//! Stacks of real programs, compared with gdb's: through the C library, deep, through inlined functions.

use crate::{
    session::{Kind, Session, function_of, line_of},
    support::{build, gdb, marks},
};
use rankscope::model::{
    Answer, BreakpointRequest, Context, Event, Frame, LaunchSpec, Operation, SignalName, StepKind, StopReason,
};
use std::path::{Path, PathBuf};

fn optimised() -> PathBuf {
    build::build("gcc", "optimised.c", &["-g", "-O2"])
}

fn launched(program: &Path, arguments: &[&str]) -> Session {
    let mut session = Session::new(Kind::Native);
    let arguments = arguments.iter().map(|&word| word.to_owned()).collect();
    session.launch(LaunchSpec { program: program.display().to_string(), arguments, ..LaunchSpec::default() }, 1);
    session.stop(0);
    session
}

/// Function and line of each frame.
type Stack = Vec<(String, u32)>;

/// Reads gdb's `backtrace`.
fn frames_of(backtrace: &str) -> Stack {
    let frames = backtrace.lines().filter(|line| line.starts_with('#'));
    let read = |line: &str| {
        let words = line.split_once(' ').map_or("", |(_, rest)| rest).trim_start();
        let words = words.strip_prefix("0x").and_then(|w| w.split_once(" in ")).map_or(words, |(_, name)| name);
        let function = words.split(" (").next().unwrap_or(words).to_owned();
        let place = line.rsplit_once(" at ").and_then(|(_, place)| place.rsplit_once(':'));
        (function, place.and_then(|(_, line)| line.parse().ok()).unwrap_or(0))
    };
    frames.map(read).collect()
}

fn ours(frames: &[Frame]) -> Stack {
    frames.iter().map(|frame| (function_of(frame).to_owned(), line_of(frame))).collect()
}

#[track_caller]
fn crashed(how: &str, signal: &str) -> (Stack, Stack) {
    let program = build::plain("crash.c");
    let mut session = launched(&program, &[how]);
    let signal = SignalName::parse(signal).unwrap();
    assert_eq!(session.go(0).reason, StopReason::Signal(signal.clone()));
    let stack = ours(&session.stack(0));
    assert_eq!(session.go_to_end(0), Event::Killed(signal.into()));
    let theirs = gdb::gdb(&program, &[how], &["run"], &["backtrace".to_owned()]);
    (stack, frames_of(&theirs[0]))
}

/// The frames that both know by name; without debug information of the C library, names inside it may differ.
#[track_caller]
fn assert_same_in_the_program((ours, theirs): (Stack, Stack)) {
    let lined = |frames: Stack| frames.into_iter().filter(|(_, line)| *line > 0).collect::<Stack>();
    assert_eq!(ours.len(), theirs.len(), "{ours:#?}\n{theirs:#?}");
    let (ours, theirs) = (lined(ours), lined(theirs));
    assert!(!theirs.is_empty());
    assert_eq!(ours, theirs);
}

#[test]
fn a_crash_inside_the_c_library() {
    assert_same_in_the_program(crashed("library", "SEGV"));
}

#[test]
fn an_abort_inside_a_callback_of_the_c_library() {
    assert_same_in_the_program(crashed("callback", "ABRT"));
}

#[test]
fn a_crash_deep_down() {
    let (ours, theirs) = crashed("deep", "BUS");
    assert_eq!(ours.len(), theirs.len());
    assert!(ours.len() > 300);
    assert_same_in_the_program((ours, theirs));
}

#[test]
fn an_exhausted_stack_is_shown_from_its_end() {
    let program = build::plain("crash.c");
    let mut session = launched(&program, &["overflow"]);
    assert_eq!(session.go(0).reason, StopReason::Signal(SignalName::parse("SEGV").unwrap()));
    let Answer::Stack(frames) = session.ask(0, Operation::Stack { thread: None, low: 0, high: Some(20), most: None })
    else {
        panic!()
    };
    assert_eq!(frames.len(), 21);
    assert!(frames.iter().skip(2).all(|frame| function_of(frame) == "descend"), "{frames:#?}");
}

#[test]
fn inlined_functions_are_frames_of_their_own() {
    let program = optimised();
    let mut session = launched(&program, &[]);
    let stop_at = |session: &mut Session, id, name: &str| match session
        .ask(0, Operation::SetBreakpoint(BreakpointRequest { ..crate::session::on_function(id, name) }))
    {
        Answer::Breakpoint(_, sites) => sites,
        other => panic!("{other:?}"),
    };
    assert!(!stop_at(&mut session, 1, "scale").is_empty(), "an inlined function has places");
    let stop = session.go(0);
    assert_eq!(function_of(&stop.frame), "scale");
    let theirs = gdb::gdb(&program, &[], &["break scale", "run"], &["backtrace".to_owned()]);
    let frames = session.stack(0);
    assert_eq!(ours(&frames), frames_of(&theirs[0]));
    let functions: Vec<_> = frames.iter().map(|frame| (function_of(frame), frame.inlined)).collect();
    assert_eq!(functions, [("scale", true), ("total", true), ("work", false), ("main", false)]);
}

#[test]
fn optimised_out_variables_are_said_to_be() {
    let program = optimised();
    let mut session = launched(&program, &[]);
    session.ask(0, Operation::SetBreakpoint(crate::session::on_function(1, "report")));
    session.go(0);
    let questions = ["up", "info locals", "info args"].map(str::to_owned);
    let theirs = gdb::gdb(&program, &[], &["break report", "run"], &questions);
    let context = Context { thread: None, frame: 1 };
    let names = |text: &str| {
        let lines = text.lines().filter_map(|line| line.split_once(" = "));
        lines.map(|(name, value)| (name.to_owned(), value == "<optimized out>")).collect::<Vec<_>>()
    };
    for (operation, theirs) in [(Operation::Locals(context), &theirs[1]), (Operation::Arguments(context), &theirs[2])] {
        let variables = session.variables(operation);
        let ours: Vec<_> = variables
            .iter()
            .map(|variable| {
                let gone = matches!(&variable.value, rankscope::model::VariableValue::Unknown { why, .. } if why == "optimized out");
                (variable.name.clone(), gone)
            })
            .collect();
        assert_eq!(ours, names(theirs));
    }
}

#[test]
fn steps_in_optimised_code_go_where_gdb_goes() {
    let program = optimised();
    let mut session = launched(&program, &[]);
    session.ask(0, Operation::SetBreakpoint(crate::session::on_function(1, "report")));
    session.go(0);
    let context = Context::default();
    session.resume(0, Operation::Step { kind: StepKind::Finish, count: 1, context });
    let stop = session.step(0, StepKind::Over);
    let theirs = gdb::gdb(&program, &[], &["break report", "run", "finish", "next"], &["backtrace".to_owned()]);
    assert_eq!(ours(&[stop.frame])[0], frames_of(&theirs[0])[0]);
    assert!(marks::line("optimised.c", "report") > 0);
}
