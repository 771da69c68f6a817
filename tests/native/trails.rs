//! A thread's frames after each of a series of acts, by the engine and by gdb.

use crate::driver::{Session, build_by, request};
use rankscope::model::{Answer, BreakpointRequest, Context, Event, Frame, LocationSpec, Operation, StepKind};
use std::path::Path;
use std::process::Command;

/// An act, in gdb's terms; ours follow from them.
#[derive(Clone, Copy, Debug)]
pub enum Act {
    Step,
    Next,
    Finish,
    /// Return from a frame, with a value.
    Return(u32, Option<&'static str>),
    /// Stop once at a location.
    Tbreak(&'static str),
    /// Continue at another location, to a breakpoint.
    Jump(&'static str),
}

impl Act {
    fn of_gdb(self) -> Vec<String> {
        match self {
            Self::Step => vec!["step".to_owned()],
            Self::Next => vec!["next".to_owned()],
            Self::Finish => vec!["finish".to_owned()],
            Self::Return(frame, value) => {
                vec![format!("frame {frame}"), format!("return {}", value.unwrap_or_default())]
            }
            Self::Tbreak(place) => vec![format!("tbreak {place}")],
            Self::Jump(place) => vec![format!("jump {place}")],
        }
    }

    fn of_engine(self, id: u32) -> Operation {
        let step = |kind| Operation::Step { kind, count: 1, context: Context::default() };
        match self {
            Self::Step => step(StepKind::Into),
            Self::Next => step(StepKind::Over),
            Self::Finish => step(StepKind::Finish),
            Self::Return(frame, value) => Operation::Return(value.map(str::to_owned), Context { thread: None, frame }),
            Self::Tbreak(place) => {
                Operation::SetBreakpoint(BreakpointRequest { temporary: true, ..request(id, place) })
            }
            Self::Jump(place) => Operation::Jump(LocationSpec::parse(place).unwrap(), Context::default()),
        }
    }
}

/// Function and line of each frame, after the stop at the breakpoint and after each act.
type Trail = Vec<Vec<(String, u32)>>;

fn by_gdb(program: &Path, breakpoint: &str, acts: &[Act]) -> Trail {
    // gdb looks up a condition's names in the innermost function only; the conditions used here are true.
    let breakpoint = breakpoint.split_once(" if ").map_or(breakpoint, |(place, _)| place);
    let mut gdb = Command::new("gdb");
    gdb.args(["-nx", "-batch", "-ex", "set width 0", "-ex", "set debuginfod enabled off"]);
    gdb.args(["-ex", &format!("break {breakpoint}"), "-ex", "run > /dev/null", "-ex", "delete"]);
    for act in std::iter::once(None).chain(acts.iter().copied().map(Some)) {
        if let Some(act) = act {
            for command in act.of_gdb() {
                gdb.args(["-ex", &command]);
            }
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
    for (number, act) in (2..).zip(std::iter::once(None).chain(acts.iter().copied().map(Some))) {
        if let Some(act) = act {
            match session.ask(0, act.of_engine(number)) {
                Answer::Ok => {
                    let event = session.event(0, |event| matches!(event, Event::Stopped(_) | Event::Exited(_)));
                    if matches!(event, Event::Exited(_)) {
                        // No frames are left after this act and the following ones.
                        trail.resize(acts.len() + 1, Vec::new());
                        break;
                    }
                }
                Answer::Breakpoint(..) => {}
                // A refused return leaves the thread where it is; gdb's frames tell if that is right.
                Answer::Failed(_) if matches!(act, Act::Return(..)) => {}
                // After the end of main, in a C library without debug information, gdb does not move either.
                Answer::Failed(failure) => assert_eq!(failure.message, "Cannot find bounds of current function"),
                other => panic!("{other:?}"),
            }
        }
        let Answer::Stack(frames) = session.ask(0, Operation::Stack { thread: None, low: 0, high: None, most: None })
        else {
            panic!("no stack");
        };
        let line = |frame: &Frame| frame.source.as_ref().map_or(0, |source| source.line);
        let word = |frame: &Frame| {
            let function = frame.function.as_deref().unwrap_or("??");
            function.split(' ').next().unwrap_or_default().to_owned()
        };
        trail.push(frames.iter().map(|frame| (word(frame), line(frame))).collect());
    }
    session.shutdown(true);
    trail
}

pub fn compare_of(compiler: &str, source: &str, options: &[&str], breakpoint: &str, acts: &[Act]) {
    let built = build_by(compiler, source, options);
    let expected = by_gdb(&built.path, breakpoint, acts);
    let ours = by_engine(&built.path, breakpoint, acts);
    assert_eq!(expected.len(), acts.len() + 1, "gdb did not come to the end: {expected:?}");
    assert!(!expected[0].is_empty(), "gdb did not stop at {breakpoint}");
    for (index, (ours, expected)) in ours.iter().zip(&expected).enumerate() {
        assert_eq!(ours, expected, "{compiler} {options:?} {breakpoint}, after {index} steps");
    }
}
