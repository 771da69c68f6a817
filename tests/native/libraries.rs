//! Libraries that come and go, and the four ways to look for breakpoints in them.

use crate::driver::{Built, Session, build, compile, place, request};
use rankscope::model::{
    Answer, BreakpointId, Event, LaunchSpec, LibraryEvents, LibraryGlobs, LibraryPolicy, Operation, RunSettings,
    StopReason,
};
use std::path::Path;

const DLOPENS: &str = include_str!("../programs/dlopens.c");
const TIMES: u64 = 6;

fn policy(always: Option<bool>, on_match: &str) -> RunSettings {
    RunSettings {
        libraries: LibraryPolicy { always, on_match: LibraryGlobs::parse(on_match).unwrap() },
        ..RunSettings::default()
    }
}

/// A rank stopped in main, with breakpoint 1 in the library that comes and goes, 2 in the one that stays, and 3 behind
/// both.
fn begun(settings: RunSettings) -> (Built, Session) {
    let program = build(DLOPENS, &["-g", "-O0", "-ldl"]);
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs/plugin.c");
    let library = |name: &str| program.directory.path().join(format!("lib{name}.so")).display().to_string();
    for name in ["plugin", "other"] {
        let define = format!("-DNAME={name}");
        compile(&source, Path::new(&library(name)), &["-g", "-O0", "-shared", "-fPIC", &define]);
    }
    let times = TIMES.to_string();
    let arguments = [times.as_str(), &library("plugin"), "plugin", &library("other"), "other"];
    let spec = LaunchSpec {
        program: program.path.display().to_string(),
        arguments: arguments.map(str::to_owned).to_vec(),
        settings,
        ..LaunchSpec::default()
    };
    let mut session = Session::launch_spec(1, spec);
    session.stop(0);
    assert_eq!(session.breakpoint(0, 1, "plugin"), 0);
    assert_eq!(session.breakpoint(0, 2, "other"), 0);
    session.breakpoint(0, 3, "settle");
    (program, session)
}

fn libraries(session: &mut Session) -> (Vec<String>, LibraryEvents) {
    match session.ask(0, Operation::Libraries) {
        Answer::Libraries(libraries, events) => (libraries.into_iter().map(|library| library.path).collect(), events),
        other => panic!("{other:?}"),
    }
}

/// The breakpoints at which the rank stops until its end; events that wait for a front end are answered.
fn hits(session: &mut Session) -> Vec<u32> {
    let mut hits = Vec::new();
    session.go(0);
    loop {
        let event = session.event(0, |event| {
            matches!(event, Event::Stopped(_) | Event::Exited(_) | Event::Killed(_) | Event::LibrariesChanged { .. })
        });
        match event {
            Event::Stopped(stop) => {
                let StopReason::Breakpoint(id) = stop.reason else { panic!("{stop:?}") };
                hits.push(id.0);
                if id.0 == 1 {
                    assert_eq!(place(&stop).0, "plugin");
                }
                session.go(0);
            }
            Event::LibrariesChanged { .. } => session.ok(0, Operation::Reevaluate),
            Event::Exited(0) => return hits,
            other => panic!("{other:?}"),
        }
    }
}

fn times(id: u32) -> impl Iterator<Item = u32> {
    (0..TIMES).map(move |_| id)
}

#[test]
fn auto_resolves_what_waits_and_stops_each_time_it_is_loaded_again() {
    let (_program, mut session) = begun(RunSettings::default());
    assert_eq!(hits(&mut session), times(1).chain([3, 2]).collect::<Vec<_>>());
    assert!(session.all(0).contains(&Event::BreakpointMoved(BreakpointId(1), Vec::new())), "unloaded: pending again");
}

#[test]
fn auto_without_a_waiting_breakpoint_stops_for_no_event() {
    let (_program, mut session) = begun(RunSettings::default());
    for id in [1, 2] {
        session.ok(0, Operation::DeleteBreakpoint(BreakpointId(id)));
    }
    session.go(0);
    assert_eq!(session.stop(0).reason, StopReason::Breakpoint(BreakpointId(3)));
    let (paths, events) = libraries(&mut session);
    assert_eq!(events, LibraryEvents::default());
    assert!(paths.iter().any(|path| path.ends_with("libother.so")), "found at the stop: {paths:?}");
    // Now it is known, and its breakpoint is not pending.
    assert_eq!(session.breakpoint(0, 4, "other"), 1);
    session.go(0);
    assert_eq!(session.stop(0).reason, StopReason::Breakpoint(BreakpointId(4)));
}

#[test]
fn fast_stops_for_no_event_and_finds_libraries_at_the_next_stop() {
    let (_program, mut session) = begun(policy(Some(false), ""));
    session.go(0);
    assert_eq!(session.stop(0).reason, StopReason::Breakpoint(BreakpointId(3)));
    assert_eq!(libraries(&mut session).1, LibraryEvents::default());
    assert_eq!(hits(&mut session), [2]);
}

#[test]
fn medium_tells_only_what_matches() {
    let (_program, mut session) = begun(policy(None, "libnothing*:libplugin.so"));
    session.go(0);
    for _ in 0..TIMES {
        let event = session.event(0, |event| matches!(event, Event::Stopped(_) | Event::LibrariesChanged { .. }));
        let Event::LibrariesChanged { loaded, .. } = event else { panic!("{event:?}") };
        assert!(loaded[0].ends_with("libplugin.so"), "{loaded:?}");
        session.ok(0, Operation::Reevaluate);
        assert_eq!(session.stop(0).reason, StopReason::Breakpoint(BreakpointId(1)));
        session.go(0);
    }
    assert_eq!(session.stop(0).reason, StopReason::Breakpoint(BreakpointId(3)));
    // The program's own libraries, loaded and unloaded each time, and the other library, which the stop has found.
    let events = libraries(&mut session).1;
    assert_eq!(events, LibraryEvents { seen: 2 * TIMES + 2, filtered: TIMES + 2, reported: TIMES });
    assert_eq!(hits(&mut session), [2]);
}

#[test]
fn slow_tells_every_event() {
    let (_program, mut session) = begun(policy(Some(true), ""));
    session.ok(0, Operation::DeleteBreakpoint(BreakpointId(3)));
    assert_eq!(hits(&mut session), times(1).chain([2]).collect::<Vec<_>>());
    let told = session.all(0).iter().filter(|event| matches!(event, Event::LibrariesChanged { .. })).count();
    assert!(told as u64 > 2 * TIMES, "{told}");
}

#[test]
fn a_rank_that_waits_for_the_front_end_can_be_halted_and_goes_on() {
    let (_program, mut session) = begun(policy(Some(true), ""));
    session.go(0);
    session.event(0, |event| matches!(event, Event::LibrariesChanged { .. }));
    session.ok(0, Operation::Interrupt);
    assert_eq!(session.stop(0).reason, StopReason::Interrupted);
    session.go(0);
    session.ok(0, Operation::Reevaluate);
    assert_eq!(session.stop(0).reason, StopReason::Breakpoint(BreakpointId(1)));
}

#[test]
fn the_settings_can_be_changed_under_way() {
    let (_program, mut session) = begun(policy(Some(false), ""));
    session.ok(0, Operation::Configure(RunSettings::default()));
    session.go(0);
    assert_eq!(session.stop(0).reason, StopReason::Breakpoint(BreakpointId(1)));
    session.ok(0, Operation::Configure(policy(Some(false), "")));
    session.go(0);
    assert_eq!(session.stop(0).reason, StopReason::Breakpoint(BreakpointId(3)));
}

#[test]
fn what_a_stop_has_found_is_known_to_breakpoints_set_after_it() {
    let (_program, mut session) = begun(policy(Some(false), ""));
    session.go(0);
    session.stop(0);
    // Breakpoint 2 was resolved by the stop; so is another one.
    session.ok(0, Operation::DeleteBreakpoint(BreakpointId(2)));
    let answer = session.ask(0, Operation::SetBreakpoint(request(5, "other")));
    assert!(matches!(&answer, Answer::Breakpoint(_, sites) if sites.len() == 1), "{answer:?}");
    assert_eq!(hits(&mut session), [5]);
}
