//! Stops and steps in optimised code, where functions are inlined: at the same places, in the same frames as in gdb.

use crate::driver::{Session, build, build_by, line_of, place, request};
use rankscope::model::{Answer, BreakpointRequest, Context, Event, Operation, StepKind};
use std::path::Path;
use std::process::Command;

const SOURCE: &str = include_str!("../programs/inlined.c");
const NESTED: &str = include_str!("../programs/nested.c");

/// What is done, in gdb's words; ours follow from them.
#[derive(Clone, Copy)]
enum Act {
    Step,
    Next,
    Finish,
}

impl Act {
    fn of_gdb(self) -> &'static str {
        match self {
            Self::Step => "step",
            Self::Next => "next",
            Self::Finish => "finish",
        }
    }

    fn kind(self) -> StepKind {
        match self {
            Self::Step => StepKind::Into,
            Self::Next => StepKind::Over,
            Self::Finish => StepKind::Finish,
        }
    }
}

/// Function and line of each frame, after the stop at the breakpoint and after each act.
type Trail = Vec<Vec<(String, u32)>>;

fn by_gdb(program: &Path, breakpoint: &str, acts: &[Act]) -> Trail {
    // gdb looks for what a condition names in the innermost function alone; those that are asked for are true.
    let breakpoint = breakpoint.split_once(" if ").map_or(breakpoint, |(place, _)| place);
    let mut gdb = Command::new("gdb");
    gdb.args(["-nx", "-batch", "-ex", "set width 0", "-ex", "set debuginfod enabled off"]);
    gdb.args(["-ex", &format!("break {breakpoint}"), "-ex", "run > /dev/null", "-ex", "delete"]);
    for act in std::iter::once(None).chain(acts.iter().copied().map(Some)) {
        if let Some(act) = act {
            gdb.args(["-ex", act.of_gdb()]);
        }
        gdb.args(["-ex", "echo \\n====\\n", "-ex", "backtrace", "-ex", "echo \\n----\\n"]);
    }
    let output = gdb.arg(program).output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    let frame = |line: &str| {
        let rest = line.strip_prefix('#')?.split_once(' ')?.1.trim_start();
        let rest = rest.split_once(" in ").filter(|(address, _)| address.starts_with("0x")).map_or(rest, |(_, r)| r);
        let line = rest.rsplit_once(':').and_then(|(_, line)| line.trim().parse().ok());
        Some((rest.split(' ').next()?.to_owned(), line.unwrap_or(0)))
    };
    let parts = text.split("\n====\n").skip(1).filter_map(|part| part.split("\n----\n").next());
    parts.map(|part| part.lines().filter_map(frame).collect()).collect()
}

fn by_engine(program: &Path, breakpoint: &str, acts: &[Act]) -> Trail {
    let mut session = Session::launch(program, 1);
    session.stop(0);
    let (place, condition) = breakpoint.split_once(" if ").map_or((breakpoint, None), |(a, b)| (a, Some(b.to_owned())));
    session.set(0, BreakpointRequest { condition, ..request(1, place) });
    session.go(0);
    session.stop(0);
    session.ok(0, Operation::DeleteBreakpoint(rankscope::model::BreakpointId(1)));
    let mut trail = Vec::new();
    for act in std::iter::once(None).chain(acts.iter().copied().map(Some)) {
        if let Some(act) = act {
            match session.ask(0, Operation::Step { kind: act.kind(), count: 1, context: Context::default() }) {
                Answer::Ok => {
                    let event = session.event(0, |event| matches!(event, Event::Stopped(_) | Event::Exited(_)));
                    if matches!(event, Event::Exited(_)) {
                        // There are no frames any more, after this act and after those that follow.
                        trail.resize(acts.len() + 1, Vec::new());
                        break;
                    }
                }
                // Behind the end of main, in a C library without debug information, gdb stays where it is too.
                Answer::Failed(failure) => assert_eq!(failure.message, "Cannot find bounds of current function"),
                other => panic!("{other:?}"),
            }
        }
        let Answer::Stack(frames) = session.ask(0, Operation::Stack { thread: None, low: 0, high: None }) else {
            panic!("no stack");
        };
        let line = |frame: &rankscope::model::Frame| frame.source.as_ref().map_or(0, |source| source.line);
        trail.push(
            frames.iter().map(|frame| (frame.function.as_deref().unwrap_or("??").to_owned(), line(frame))).collect(),
        );
    }
    session.shutdown(true);
    trail
}

fn compare(options: &[&str], breakpoint: &str, acts: &[Act]) {
    compare_of("gcc", SOURCE, options, breakpoint, acts);
}

fn compare_of(compiler: &str, source: &str, options: &[&str], breakpoint: &str, acts: &[Act]) {
    let built = build_by(compiler, source, options);
    let expected = by_gdb(&built.path, breakpoint, acts);
    let ours = by_engine(&built.path, breakpoint, acts);
    assert_eq!(expected.len(), acts.len() + 1, "gdb did not come to the end: {expected:?}");
    assert!(!expected[0].is_empty(), "gdb did not stop at {breakpoint}");
    for (index, (ours, expected)) in ours.iter().zip(&expected).enumerate() {
        assert_eq!(ours, expected, "{compiler} {options:?} {breakpoint}, after {index} steps");
    }
}

#[test]
fn code_that_begins_where_other_code_ends_has_its_lines() {
    let source = include_str!("../programs/cold_first.c");
    let built = build(source, &["-g", "-O2", "-falign-functions=1", "-fno-toplevel-reorder"]);
    let mut session = Session::launch(&built.path, 1);
    let stop = session.stop(0);
    assert_eq!(place(&stop), ("main".to_owned(), line_of(source, "/* first */")));
}

#[test]
fn stepping_through_plain_code() {
    compare(&["-g", "-O0"], "second", &[Act::Step; 20]);
    compare(&["-g", "-O0"], "first", &[Act::Next; 12]);
}

#[test]
fn stepping_into_inlined_functions() {
    compare(&["-g", "-O1"], "first", &[Act::Step; 12]);
    compare(&["-g", "-O2"], "second", &[Act::Step; 12]);
}

#[test]
fn stepping_over_inlined_functions() {
    compare(&["-g", "-O1"], "first", &[Act::Next; 8]);
    compare(&["-g", "-O2"], "first", &[Act::Next; 8]);
    compare(&["-g", "-O2"], "second", &[Act::Next; 8]);
    // Behind what was inlined is a line that begins a statement, with that of the call, which does not.
    compare(&["-g", "-O1"], "second", &[Act::Next; 10]);
    // A function begins in the middle of its caller's other lines.
    compare(&["-g", "-O2"], "twice", &[Act::Next; 4]);
}

#[test]
fn finishing_inlined_functions() {
    for (options, breakpoint) in [(["-g", "-O1"], "inner"), (["-g", "-O1"], "outer"), (["-g", "-O2"], "outer")] {
        compare_of("gcc", NESTED, &options, breakpoint, &[Act::Finish, Act::Next]);
    }
}

#[test]
fn a_breakpoint_on_an_inlined_function_is_inside() {
    compare(&["-g", "-O2"], "twice", &[Act::Step; 3]);
    compare(&["-g", "-O1"], "limited", &[Act::Next; 3]);
}

#[test]
fn a_breakpoint_is_in_the_function_that_it_names_where_several_begin() {
    for (compiler, options) in
        [("gcc", ["-g", "-O1"]), ("gcc", ["-g", "-O2"]), ("clang", ["-g", "-O1"]), ("clang", ["-g", "-O2"])]
    {
        for breakpoint in ["outer", "inner", "program.c:6", "program.c:19", "outer if y == 2", "inner if x == 2"] {
            compare_of(compiler, NESTED, &options, breakpoint, &[Act::Step; 3]);
        }
    }
}
