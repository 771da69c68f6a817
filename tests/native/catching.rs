//! Catchpoints and tracepoints.

use crate::driver::{Built, Session, build, compile, place, request};
use rankscope::model::{
    Answer, Armed, BreakpointId, BreakpointRequest, Catch, Caught, Event, LaunchSpec, Operation, Point, PointAction,
    SignalName, StopReason, VariableValue,
};
use std::path::Path;
use std::process::Command;

fn catch(id: u32, what: &str) -> BreakpointRequest {
    BreakpointRequest::at(BreakpointId(id), Point::Catch(Catch::parse(what).unwrap()))
}

fn begun() -> (Built, Session) {
    let programs = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs");
    let program = build("int main(void) { return 0; }", &[]);
    let path = program.directory.path().join("caught");
    let built = Command::new("g++").args(["-g", "-O0", "-o"]).arg(&path).arg(programs.join("caught.cpp")).status();
    assert!(built.unwrap().success());
    let library = program.directory.path().join("libplugin.so");
    compile(&programs.join("plugin.c"), &library, &["-g", "-shared", "-fPIC"]);
    let spec = LaunchSpec {
        program: path.display().to_string(),
        arguments: vec![library.display().to_string()],
        ..LaunchSpec::default()
    };
    let mut session = Session::launch_spec(1, spec);
    session.stop(0);
    (program, session)
}

/// The number of the point that stops the rank next, and its event.
fn caught(session: &mut Session) -> (u32, Caught) {
    session.go(0);
    match session.stop(0).reason {
        StopReason::Caught(id, caught) => (id.0, caught),
        other => panic!("{other:?}"),
    }
}

#[test]
fn everything_a_process_does_is_caught() {
    let (_program, mut session) = begun();
    for (id, what) in ["throw", "catch", "fork", "vfork", "signal SIGUSR1", "load libplug*", "exec"].iter().enumerate()
    {
        assert_eq!(session.arm(catch(id as u32 + 1, what)), Armed::Events, "{what}");
    }
    assert_eq!(caught(&mut session), (1, Caught::Thrown));
    assert_eq!(caught(&mut session), (2, Caught::Handled));
    assert_eq!(caught(&mut session), (3, Caught::Forked));
    assert_eq!(caught(&mut session), (4, Caught::Vforked));
    assert_eq!(caught(&mut session), (5, Caught::Signal(SignalName("SIGUSR1".into()))));
    let (id, Caught::Loaded(names)) = caught(&mut session) else { panic!("no library") };
    assert_eq!(id, 6);
    assert!(names[0].ends_with("/libplugin.so"), "{names:?}");
    let Answer::Libraries(libraries, _) = session.ask(0, Operation::Libraries) else { panic!("no libraries") };
    assert!(libraries.iter().any(|library| library.path == names[0]), "{libraries:?}");
    let (id, Caught::Executed(path)) = caught(&mut session) else { panic!("no exec") };
    assert_eq!((id, path.rsplit('/').next()), (7, Some("caught")));
    session.go(0);
    assert_eq!(session.end(0), Event::Exited(7));
}

#[test]
fn conditions_counts_and_patterns_hold_and_deleted_ones_do_not() {
    let (_program, mut session) = begun();
    session.arm(catch(1, "load libnothing*"));
    session.arm(BreakpointRequest { ignore: 1, ..catch(2, "fork") });
    session.arm(BreakpointRequest { condition: Some("0".to_owned()), ..catch(3, "vfork") });
    session.arm(catch(4, "throw"));
    session.ok(0, Operation::DeleteBreakpoint(BreakpointId(4)));
    session.arm(catch(5, "catch"));
    session.ok(0, Operation::EnableBreakpoint(BreakpointId(5), false));
    let handle = Operation::HandleSignal {
        name: SignalName("SIGUSR1".into()),
        stop: Some(false),
        print: Some(false),
        pass: None,
    };
    assert!(matches!(session.ask(0, handle), Answer::Signals(_)));
    session.go(0);
    assert_eq!(session.end(0), Event::Exited(7));
}

#[test]
fn a_tracepoint_shows_values_and_stops_nothing() {
    let (_program, mut session) = begun();
    let shows = vec!["n".to_owned(), "twice + 1".to_owned(), "nothing".to_owned()];
    let point = BreakpointRequest {
        action: PointAction::Trace(shows),
        condition: Some("n != 1".to_owned()),
        ..request(1, "traced")
    };
    assert_eq!(session.set(0, point), 1);
    session.breakpoint(0, 2, "thrower");
    session.go(0);
    let stop = session.stop(0);
    assert_eq!(stop.reason, StopReason::Breakpoint(BreakpointId(2)));
    assert!(place(&stop).0.starts_with("thrower"), "{stop:?}");
    let traces: Vec<_> = session
        .all(0)
        .iter()
        .filter_map(|event| match event {
            Event::Traced(trace) => Some(trace.clone()),
            _ => None,
        })
        .collect();
    assert_eq!(traces.len(), 2);
    for (trace, n) in traces.iter().zip([0_u8, 2]) {
        let VariableValue::Known(value) = &trace.values[0].value else { panic!("{trace:?}") };
        assert_eq!((trace.values[0].name.as_str(), value.data.as_slice()), ("n", &[0, 0, 0, n][..]));
        let VariableValue::Unknown { why, .. } = &trace.values[2].value else { panic!("{trace:?}") };
        assert!(why.contains("No symbol \"nothing\""), "{why}");
    }
}
