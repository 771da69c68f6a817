//! Catchpoints on floating-point exceptions (`catch fpe`): each stops at its instruction, and the program gets the
//! results and the flags that it would have had. The program checks those itself.

use crate::driver::{Built, Session, await_file, build_by, line_of, place};
use rankscope::model::{
    Answer, BreakpointId, BreakpointRequest, Catch, Caught, Context, Event, FloatTrap, Follow, LaunchSpec, Operation,
    Point, Severity, SignalName, StepKind, Stop, StopReason, VariableValue,
};
use std::path::Path;

const SOURCE: &str = include_str!("../programs/floats.c");

fn catch(id: u32, what: &str) -> BreakpointRequest {
    BreakpointRequest::at(BreakpointId(id), Point::Catch(Catch::parse(what).unwrap()))
}

fn spec(built: &Built, part: &str) -> LaunchSpec {
    LaunchSpec { program: built.path.display().to_string(), arguments: vec![part.to_owned()], ..LaunchSpec::default() }
}

fn program() -> Built {
    build_by("gcc", SOURCE, &["-g", "-O1", "-frounding-math", "-lm"])
}

/// A part of the program, stopped at its start with a catchpoint.
fn begun(part: &str, what: &str) -> (Built, Session) {
    let built = program();
    let mut session = Session::launch_spec(1, spec(&built, part));
    session.stop(0);
    session.arm(catch(1, what));
    (built, session)
}

#[track_caller]
fn trap(stop: &Stop) -> &FloatTrap {
    match &stop.reason {
        StopReason::Caught(BreakpointId(1), Caught::Float(trap)) => trap,
        other => panic!("{other:?}"),
    }
}

/// The kinds, the instruction's name and the function of a stop.
#[track_caller]
fn told(stop: &Stop) -> (String, String, String) {
    let trap = trap(stop);
    let name = trap.instruction.split(' ').next().unwrap_or_default();
    let function = match &trap.before {
        Some(before) => before.function.as_deref().unwrap_or_default().to_owned(),
        None => place(stop).0,
    };
    (trap.exceptions.to_string(), name.to_owned(), function)
}

/// Continues until the end; returns the stops on the way.
fn to_the_end(session: &mut Session) -> (Vec<Stop>, Event) {
    let mut stops = Vec::new();
    loop {
        session.go(0);
        let event = session.event(0, |event| matches!(event, Event::Stopped(_) | Event::Exited(_) | Event::Killed(_)));
        match event {
            Event::Stopped(stop) => stops.push(stop),
            end => return (stops, end),
        }
    }
}

fn all_told(stops: &[Stop]) -> Vec<(String, String, String)> {
    stops.iter().map(told).collect()
}

fn owned(rows: &[(&str, &str, &str)]) -> Vec<(String, String, String)> {
    rows.iter().map(|(a, b, c)| ((*a).to_owned(), (*b).to_owned(), (*c).to_owned())).collect()
}

#[test]
fn every_exception_stops_at_its_instruction_and_results_and_flags_stay() {
    let (_built, mut session) = begun("plain", "fpe invalid zero overflow underflow");
    let (stops, end) = to_the_end(&mut session);
    assert_eq!(
        all_told(&stops),
        owned(&[
            ("zero", "divpd", "divide_pair"),
            ("zero", "divsd", "divide"),
            ("zero", "divsd", "divide"),
            ("invalid", "sqrtsd", "root"),
            ("overflow", "mulsd", "multiply"),
            ("zero", "divss", "divide_single"),
            ("invalid", "cvttsd2si", "whole"),
            ("invalid", "comisd", "less"),
            ("underflow", "mulsd", "multiply"),
            ("underflow", "mulsd", "multiply"),
            ("underflow", "fmulp", "multiply_long"),
            ("underflow", "fmulp", "multiply_long"),
            ("zero", "fdivrp", "divide_long"),
            ("zero", "fdivrp", "divide_long"),
            ("invalid", "fsqrt", "root_long"),
            ("overflow", "fmulp", "multiply_long"),
            ("zero", "fdivrp", "late"),
        ])
    );
    assert_eq!(end, Event::Exited(0));
}

#[test]
fn the_operands_are_those_that_the_instruction_has_read() {
    let (_built, mut session) = begun("plain", "fpe");
    let (stops, _) = to_the_end(&mut session);
    let operands = |index: usize| -> Vec<(String, String)> {
        let printed = |value: &VariableValue| match value {
            VariableValue::Known(datum) => {
                let plain = rankscope::model::Datum { type_name: String::new(), ..datum.clone() };
                rankscope::model::aif::format(&plain, &Default::default()).unwrap()
            }
            other => panic!("{other:?}"),
        };
        trap(&stops[index]).operands.iter().map(|operand| (operand.name.clone(), printed(&operand.value))).collect()
    };
    let pairs = |rows: &[(&str, &str)]| -> Vec<(String, String)> {
        rows.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
    };
    assert_eq!(operands(0), pairs(&[("xmm0", "{1, 1}"), ("xmm1", "{0, 4}")]));
    assert_eq!(operands(2), pairs(&[("xmm0", "1"), ("xmm1", "-0")]));
    assert_eq!(operands(3), pairs(&[("xmm0", "-1")]));
    assert_eq!(operands(4), pairs(&[("xmm0", "1e+308"), ("xmm1", "10")]));
    assert_eq!(operands(5), pairs(&[("xmm0", "1"), ("xmm1", "0")]));
    let x87 = stops.iter().position(|stop| told(stop).2 == "divide_long").unwrap();
    assert_eq!(operands(x87 + 1), pairs(&[("st(1)", "2"), ("st(0)", "0")]));
    let late = trap(stops.last().unwrap());
    assert!(late.before.is_some() && late.instruction.starts_with("fdivrp"), "{late:?}");
    let line = trap(&stops[x87]).before.as_ref().and_then(|before| before.source.as_ref()).map(|source| source.line);
    assert_eq!(line, Some(line_of(SOURCE, "divide_long(long double")));
}

#[test]
fn avx_lanes_are_shown() {
    if !std::is_x86_feature_detected!("avx") {
        return;
    }
    let (_built, mut session) = begun("avx", "fpe");
    let (stops, end) = to_the_end(&mut session);
    assert_eq!((stops.len(), &end), (1, &Event::Exited(0)));
    assert_eq!(told(&stops[0]).1, "vdivpd");
    let operands = &trap(&stops[0]).operands;
    assert!(operands.iter().any(|operand| operand.name == "memory"), "{operands:?}");
    assert!(operands.iter().any(|operand| operand.name.starts_with("ymm")), "{operands:?}");
}

#[test]
fn threads_there_already_and_threads_to_come_are_caught() {
    let built = program();
    let mut session = Session::launch_spec(1, spec(&built, "threads"));
    session.stop(0);
    session.breakpoint(0, 2, "stop_here");
    session.go(0);
    assert_eq!(session.stop(0).reason, StopReason::Breakpoint(BreakpointId(2)));
    session.arm(catch(1, "fpe zero"));
    let (stops, end) = to_the_end(&mut session);
    let threads: Vec<u32> = stops.iter().map(|stop| stop.thread.0).collect();
    assert_eq!((all_told(&stops), threads), (owned(&[("zero", "divsd", "divide"); 2]), vec![2, 3]));
    assert_eq!(end, Event::Exited(0));
}

#[test]
fn functions_that_change_masks_see_those_of_the_program_and_hide_no_exception() {
    let (_built, mut session) = begun("masks", "fpe");
    let (stops, end) = to_the_end(&mut session);
    let rows = [
        ("zero", "divsd", "divide"),
        ("zero", "divsd", "divide"),
        ("zero", "divsd", "divide"),
        ("zero", "", "feraiseexcept"),
        ("zero", "fdivrp", "divide_long"),
    ];
    let found: Vec<_> = all_told(&stops).into_iter().map(|(a, b, c)| (a, b, c.replace("__GI_", ""))).collect();
    assert_eq!(found.len(), rows.len(), "{found:?}");
    for (found, row) in found.iter().zip(rows) {
        assert_eq!((found.0.as_str(), found.1.as_str()), (row.0, row.1));
        assert!(found.2.contains(row.2), "{found:?}");
    }
    assert_eq!(end, Event::Exited(0));
}

#[test]
fn a_program_that_unmasks_exceptions_itself_gets_its_signals() {
    let (_built, mut session) = begun("own", "fpe zero");
    let (stops, end) = to_the_end(&mut session);
    // The invalid operation and the integer division are the program's own.
    assert_eq!(told(&stops[0]), ("zero".to_owned(), "divsd".to_owned(), "divide".to_owned()));
    let signals = stops[1..].iter().map(|stop| stop.reason.clone()).collect::<Vec<_>>();
    assert_eq!(signals, vec![StopReason::Signal(SignalName("SIGFPE".into())); 2]);
    assert_eq!(end, Event::Exited(0));
    let (_built, mut session) = begun("own", "fpe invalid");
    let (stops, end) = to_the_end(&mut session);
    assert_eq!(told(&stops[0]).2, "root");
    assert_eq!(stops[1].reason, StopReason::Signal(SignalName("SIGFPE".into())), "the integer division");
    assert_eq!((told(&stops[2]).2, stops.len()), ("root".to_owned(), 3));
    assert_eq!(end, Event::Exited(0));
}

#[test]
fn a_program_that_masks_exceptions_by_an_instruction_is_told_of() {
    let (_built, mut session) = begun("inlined", "fpe");
    session.breakpoint(0, 2, "stop_here");
    let (stops, end) = to_the_end(&mut session);
    assert_eq!(stops[0].reason, StopReason::Breakpoint(BreakpointId(2)), "the first exception is not caught");
    assert_eq!((told(&stops[1]).2, stops.len()), ("divide".to_owned(), 2));
    let warned = session.all(0).iter().filter(
        |event| matches!(event, Event::Message(Severity::Warning, text) if text.contains("masked floating-point")),
    );
    assert_eq!((warned.count(), end), (1, Event::Exited(0)));
}

#[test]
fn masks_that_a_program_saved_meanwhile_do_not_end_it_after_the_catchpoint_is_deleted() {
    let (_built, mut session) = begun("kept", "fpe");
    session.breakpoint(0, 2, "stop_here");
    session.go(0);
    session.stop(0);
    assert_eq!(session.ask(0, Operation::DeleteBreakpoint(BreakpointId(1))), Answer::Ok);
    let (stops, end) = to_the_end(&mut session);
    assert_eq!((stops.len(), end), (0, Event::Exited(0)));
}

#[test]
fn children_have_the_masks_of_the_program_or_are_followed() {
    let (built, mut session) = begun("child", "fpe");
    let (stops, end) = to_the_end(&mut session);
    assert_eq!((stops.len(), end), (1, Event::Exited(0)), "that of the parent");
    let mut session = Session::launch_spec(
        1,
        LaunchSpec {
            settings: rankscope::model::RunSettings { follow: Follow::Child, ..Default::default() },
            ..spec(&built, "child")
        },
    );
    session.stop(0);
    session.arm(catch(1, "fpe"));
    let (stops, end) = to_the_end(&mut session);
    let expected = owned(&[("zero", "divsd", "divide"), ("zero", "fdivrp", "divide_long")]);
    assert_eq!((all_told(&stops), end), (expected, Event::Exited(7)));
}

#[test]
fn it_goes_on_after_an_exec() {
    let (_built, mut session) = begun("exec", "fpe");
    let (stops, end) = to_the_end(&mut session);
    assert_eq!((stops.len(), end), (5, Event::Exited(0)));
}

#[test]
fn conditions_and_counts_hold_and_what_is_passed_costs_nothing() {
    let (_built, mut session) = begun("many", "fpe zero");
    session.ok(0, Operation::SetCondition(BreakpointId(1), Some("a == 10".to_owned())));
    let (stops, end) = to_the_end(&mut session);
    assert_eq!((stops.len(), end), (1, Event::Exited(0)));
    let (_built, mut session) = begun("many", "fpe");
    session.ok(0, Operation::SetIgnore(BreakpointId(1), 4));
    let (stops, end) = to_the_end(&mut session);
    assert_eq!((stops.len(), end), (1, Event::Exited(0)));
    let (_built, mut session) = begun("many", "fpe");
    session.arm(BreakpointRequest { temporary: true, ..catch(1, "fpe") });
    let (stops, end) = to_the_end(&mut session);
    assert_eq!((stops.len(), end), (1, Event::Exited(0)));
}

#[test]
fn registers_and_steps_are_those_of_the_program() {
    let (_built, mut session) = begun("many", "fpe zero");
    session.go(0);
    assert_eq!(place(&session.stop(0)).1, line_of(SOURCE, "return a / b; }"));
    let evaluate =
        |expression: &str| Operation::Evaluate { expression: expression.to_owned(), context: Context::default() };
    let Answer::Data(masks) = session.ask(0, evaluate("$mxcsr & 0x1f80")) else { panic!("no value") };
    assert_eq!(masks.data, [0, 0, 0x1f, 0x80]);
    // One instruction: the division, with the result that it has without a debugger.
    session.ok(0, Operation::Step { kind: StepKind::Instruction, count: 1, context: Context::default() });
    let stop = session.stop(0);
    assert_eq!((&stop.reason, place(&stop).0), (&StopReason::Step, "divide".to_owned()));
    let Answer::Data(result) = session.ask(0, evaluate("$xmm0.v2_double[0] > 1e300")) else { panic!("no value") };
    assert_eq!(result.data.last(), Some(&1));
    session.ok(0, Operation::DeleteBreakpoint(BreakpointId(1)));
    let (stops, end) = to_the_end(&mut session);
    assert_eq!((stops.len(), end), (0, Event::Exited(0)));
}

#[test]
fn a_rank_that_runs_is_caught_and_one_that_is_detached_goes_on_undisturbed() {
    let source = r#"
        #include <stdio.h>
        #include <unistd.h>
        __attribute__((noipa)) double divide(double a, double b) { return a / b; }
        volatile int go;
        int main(int count, char **arguments) {
            (void)count;
            while (!go) usleep(1000);
            for (int i = 0; i < 10; i++) if (divide(i + 1, 0) < 1e300) return 1;
            FILE *done = fopen(arguments[1], "w");
            fclose(done);
            return 0;
        }"#;
    let built = build_by("gcc", source, &["-g", "-O1"]);
    let file = built.directory.path().join("done");
    let spec = |built: &Built, file: &Path| LaunchSpec {
        program: built.path.display().to_string(),
        arguments: vec![file.display().to_string()],
        ..LaunchSpec::default()
    };
    let mut session = Session::launch_spec(1, spec(&built, &file));
    session.stop(0);
    session.go(0);
    // Set while it runs.
    session.arm(catch(1, "fpe"));
    session.ok(0, Operation::Interrupt);
    session.stop(0);
    session.ask(0, Operation::Evaluate { expression: "go = 1".to_owned(), context: Context::default() });
    session.go(0);
    assert_eq!(told(&session.stop(0)).0, "zero");
    session.ok(0, Operation::Detach);
    assert_eq!(session.end(0), Event::Detached);
    await_file(&file);
}
