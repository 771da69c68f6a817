//! Launching, breakpoints, continuing, inspecting, ending.

use crate::driver::{Session, build, line_of, place, request};
use rankscope::model::{
    Answer, BreakpointId, BreakpointRequest, Context, Event, LaunchSpec, LocationSpec, Operation, Severity, SignalName,
    StepKind, StopAt, StopReason, Stream,
};

const RING: &str = include_str!("../programs/loop.c");

#[test]
fn a_rank_stops_in_main_then_at_a_breakpoint_then_ends() {
    let program = build(RING, &[]);
    let mut session = Session::launch(&program.path, 1);
    let stop = session.stop(0);
    assert_eq!(stop.reason, StopReason::Start);
    assert_eq!(place(&stop), ("main".to_owned(), line_of(RING, "for (int")));
    assert_eq!(session.breakpoint(0, 1, "square"), 1);
    for _ in 0..3 {
        session.go(0);
        let stop = session.stop(0);
        assert_eq!(stop.reason, StopReason::Breakpoint(BreakpointId(1)));
        assert_eq!(place(&stop), ("square".to_owned(), line_of(RING, "int b")));
    }
    let Answer::Stack(frames) = session.ask(0, Operation::Stack { thread: None, low: 0, high: None, most: None })
    else {
        panic!()
    };
    let functions: Vec<_> = frames.iter().map(|frame| frame.function.as_deref().unwrap()).collect();
    assert_eq!(functions, ["square", "main"]);
    assert_eq!(frames[1].source.as_ref().unwrap().line, line_of(RING, "/* call */"));
    session.go(0);
    assert_eq!(session.end(0), Event::Exited(7));
    let output: String = session
        .all(0)
        .iter()
        .filter_map(|event| match event {
            Event::Output(Stream::Stdout, text) => Some(text.as_str()),
            _ => None,
        })
        .collect();
    assert_eq!(output, "total 0\ntotal 1\ntotal 5\n");
    assert!(matches!(session.all(0).last(), Some(Event::Exited(7))));
    let Answer::Failed(failure) = session.ask(0, Operation::Go) else { panic!() };
    assert_eq!(failure.code, rankscope::model::ErrorCode::NOT_RUN);
}

#[test]
fn steps_go_where_gdb_goes() {
    let program = build(RING, &[]);
    let mut session = Session::launch(&program.path, 1);
    session.stop(0);
    let mut step = |kind, count| {
        session.ok(0, Operation::Step { kind, count, context: Context::default() });
        let stop = session.stop(0);
        (stop.reason.word(), place(&stop))
    };
    let at = |function: &str, text: &str| (function.to_owned(), line_of(RING, text));
    assert_eq!(step(StepKind::Over, 1), ("step", at("main", "/* call */")));
    assert_eq!(step(StepKind::Over, 1), ("step", at("main", "printf")));
    assert_eq!(step(StepKind::Over, 1), ("step", at("main", "for (int")));
    assert_eq!(step(StepKind::Into, 1), ("step", at("main", "/* call */")));
    assert_eq!(step(StepKind::Into, 1), ("step", at("square", "int b")));
    assert_eq!(step(StepKind::Finish, 1), ("finished", at("main", "/* call */")));
    assert_eq!(step(StepKind::Over, 3), ("step", at("main", "/* call */")));
    assert_eq!(step(StepKind::Into, 2), ("step", at("square", "return b")));
    assert_eq!(step(StepKind::Into, 2), ("step", at("main", "printf")));
}

/// The warnings of a run whose first stop has no location.
fn warnings_of(stop_at: LocationSpec, options: &[&str]) -> Vec<String> {
    let program = build(RING, options);
    let spec = LaunchSpec {
        program: program.path.display().to_string(),
        stop_at: StopAt::Location(stop_at),
        ..LaunchSpec::default()
    };
    let mut session = Session::launch_spec(1, spec);
    assert_eq!(session.end(0), Event::Exited(7));
    let warnings = session.all(0).iter().filter_map(|event| match event {
        Event::Message(Severity::Warning, text) => Some(text.clone()),
        _ => None,
    });
    warnings.collect()
}

#[test]
fn a_first_stop_that_is_nowhere_is_said() {
    let ways: [&[&str]; 2] = [&["-g"], &["-g", "-static"]];
    for options in ways {
        for place in [LocationSpec::Function("nosuch".into()), LocationSpec::parse("program.c:4000").unwrap()] {
            let warnings = warnings_of(place.clone(), options);
            assert_eq!(warnings.len(), 1, "{options:?} {warnings:?}");
            assert!(warnings[0].starts_with(&format!("cannot stop at {place}: ")), "{warnings:?}");
        }
    }
    let warnings = warnings_of(LocationSpec::Line(4000), &["-g"]);
    assert!(warnings.len() == 1 && warnings[0].starts_with("cannot stop at 4000: "), "{warnings:?}");
}

const CHAINED: &str = include_str!("../programs/chained.c");

#[test]
fn conditions_hold_where_they_hold_and_signals_of_the_program_are_no_arrivals() {
    let program = build(CHAINED, &[]);
    let mut session = Session::launch(&program.path, 1);
    session.stop(0);
    let place = line_of(CHAINED, "/* follow */").to_string();
    // On the stack, behind a changing pointer, and in static memory.
    for (id, condition) in [(1, "depth == 20"), (2, "at->value == 31"), (3, "total == 830 && at->next->value == 6")] {
        let condition = Some(condition.to_owned());
        assert_eq!(session.set(0, BreakpointRequest { condition, ..request(id, &place) }), 1);
    }
    for arrivals in [&[1, 2][..], &[3, 1, 2], &[1, 2]] {
        for id in arrivals {
            session.go(0);
            assert_eq!(session.stop(0).reason, StopReason::Breakpoint(BreakpointId(*id)));
        }
        session.go(0);
        assert_eq!(session.stop(0).reason, StopReason::Signal(SignalName("SIGTRAP".into())));
    }
    session.go(0);
    assert_eq!(session.end(0), Event::Exited(0));
}

#[test]
fn signals_that_come_while_lines_are_stepped() {
    let source = include_str!("../programs/signalled_steps.c");
    let program = build(source, &[]);
    let mut session = Session::launch(&program.path, 1);
    session.stop(0);
    session.breakpoint(0, 1, &format!("program.c:{}", line_of(source, "/* begin */")));
    session.go(0);
    session.stop(0);
    let main = |mark| ("main".to_owned(), line_of(source, mark));
    session.breakpoint(0, 2, &format!("program.c:{}", line_of(source, "/* ticking */") + 1));
    let mut next = || {
        session.ok(0, Operation::Step { kind: StepKind::Over, count: 1, context: Context::default() });
        let stop = session.stop(0);
        (stop.reason.clone(), place(&stop))
    };
    // The two lines of the loop are stepped until the handler has run often enough: each step progresses, though a
    // signal is pending and a breakpoint is hit whenever it begins.
    let (ticking, ticked) = (main("/* ticking */"), main("/* ticked */"));
    let lines = std::iter::from_fn(|| Some(next())).take(2_000).take_while(|(_, place)| *place != ticked);
    let lines: Vec<(StopReason, (String, u32))> = lines.collect();
    assert!(lines.len() < 2_000, "no step goes on");
    for (reason, (function, line)) in lines {
        let wanted = if line > ticking.1 { StopReason::Breakpoint(BreakpointId(2)) } else { StopReason::Step };
        assert_eq!((reason, function.as_str()), (wanted, "main"));
        assert!([ticking.1, ticking.1 + 1].contains(&line), "{line}");
    }
    assert_eq!(next(), (StopReason::Step, main("/* stops */")));
    assert_eq!(next().0, StopReason::Signal(SignalName("SIGUSR2".into())));
    // A step from there goes into the handler.
    let handler = line_of(source, "/* in the handler */");
    assert_eq!(next(), (StopReason::Step, ("on_signal".to_owned(), handler - 1)));
    assert_eq!(next(), (StopReason::Step, ("on_signal".to_owned(), handler)));
}

const HANDLED_STEPS: &str = include_str!("../programs/handled_steps.c");

/// Passes the program's own signal on silently.
fn pass_on(session: &mut Session) {
    let name = SignalName("SIGUSR1".into());
    session.ask(0, Operation::HandleSignal { name, stop: Some(false), print: Some(false), pass: Some(true) });
}

/// As in gdb: code in the middle of a line, such as the handler's return address, is stepped through.
#[test]
fn a_handler_is_left_into_what_it_interrupted() {
    let program = build(HANDLED_STEPS, &["-g", "-O0", "-fno-builtin", "-lm"]);
    for kind in [StepKind::Over, StepKind::Into] {
        let mut session = Session::launch(&program.path, 1);
        session.stop(0);
        session.breakpoint(0, 1, &format!("program.c:{}", line_of(HANDLED_STEPS, "/* in the handler */")));
        pass_on(&mut session);
        session.go(0);
        session.stop(0);
        let mut step = || {
            session.ok(0, Operation::Step { kind, count: 1, context: Context::default() });
            place(&session.stop(0))
        };
        assert_eq!(step().0, "on_signal");
        assert_eq!(step(), ("on_signal".to_owned(), line_of(HANDLED_STEPS, "/* handler ends */")));
        assert_eq!(step(), ("main".to_owned(), line_of(HANDLED_STEPS, "/* goes on */")));
        assert_eq!(step(), ("main".to_owned(), line_of(HANDLED_STEPS, "/* calls */")));
    }
}

/// Instruction steps lead into an unbound stub, to each of its instructions.
#[test]
fn a_stub_is_left_through_what_it_leads_to() {
    let program = build(HANDLED_STEPS, &["-g", "-O0", "-fno-builtin", "-lm", "-Wl,-z,lazy"]);
    for further in 0..3 {
        let mut session = Session::launch(&program.path, 1);
        session.stop(0);
        session.breakpoint(0, 1, &format!("program.c:{}", line_of(HANDLED_STEPS, "/* calls */")));
        pass_on(&mut session);
        session.go(0);
        session.stop(0);
        let mut step = |kind| {
            session.ok(0, Operation::Step { kind, count: 1, context: Context::default() });
            place(&session.stop(0))
        };
        let mut inside = 0;
        for _ in 0..20 {
            let (function, _) = step(StepKind::Instruction);
            inside += u32::from(function != "main");
            if inside > further {
                break;
            }
        }
        assert_eq!(inside, further + 1, "it never came into the stub");
        assert_eq!(step(StepKind::Over), ("main".to_owned(), line_of(HANDLED_STEPS, "/* called */")));
    }
}
