//! Libraries loaded and unloaded at run time, and the four ways to look for breakpoints in them.

use crate::handover::{hand, with};
use crate::session::{Kind, Session, breakpoint, function_of, on_function};
use crate::support::{build, marks};
use rankscope::engine::gdb::GdbOptions;
use rankscope::model::{
    Answer, BreakpointId, EngineName, Event, LaunchSpec, LibraryEvents, LibraryGlobs, LibraryPolicy, LocationSpec,
    Operation, ProcessSet, Rank, RunSettings, StepKind, StopReason,
};

const FILE: &str = "dlopens.c";
const TIMES: u64 = 6;

of_processes!(
    auto_resolves_what_waits_and_stops_each_time_it_is_loaded_again,
    auto_without_a_waiting_breakpoint_stops_for_no_event,
    fast_stops_for_no_event_and_finds_libraries_at_the_next_stop,
    medium_tells_only_what_matches,
    slow_tells_every_event,
    a_rank_that_waits_for_the_front_end_can_be_halted_and_goes_on,
    a_rank_that_waits_for_the_front_end_can_be_ended,
    the_settings_can_be_changed_under_way,
    what_a_stop_has_found_is_known_to_breakpoints_set_after_it,
    a_step_goes_over_a_library_that_comes,
    a_library_in_a_namespace_of_its_own_is_found_each_time,
);

fn policy(always: Option<bool>, on_match: &str) -> RunSettings {
    RunSettings {
        libraries: LibraryPolicy { always, on_match: LibraryGlobs::parse(on_match).unwrap() },
        ..RunSettings::default()
    }
}

/// A rank stopped in main, with breakpoint 1 in the library that is unloaded, 2 in the one that stays, and 3 after
/// both.
fn begun(kind: Kind, settings: RunSettings) -> Session {
    prepared(Session::new(kind), settings)
}

/// The same with an engine that the test created.
fn prepared(mut session: Session, settings: RunSettings) -> Session {
    let library = |name: &str| {
        let define = format!("-DNAME={name}");
        let built = build::build("gcc", "plugin.c", &["-g", "-O0", "-shared", "-fPIC", &define]);
        let named = built.with_file_name(format!("lib{name}.so"));
        if !named.exists() {
            // Another test may have created it already.
            let _ = std::fs::hard_link(&built, &named);
        }
        named.display().to_string()
    };
    let times = TIMES.to_string();
    let arguments = [times.as_str(), &library("plugin"), "plugin", &library("other"), "other"];
    let program = build::plain(FILE).display().to_string();
    let arguments = arguments.map(str::to_owned).to_vec();
    session.launch(LaunchSpec { program, arguments, settings, ..LaunchSpec::default() }, 1);
    session.stop(0);
    for (id, name) in [(1, "plugin"), (2, "other")] {
        assert_eq!(sites(&mut session, id, name), 0, "{name} is not loaded yet");
    }
    assert_eq!(sites(&mut session, 3, "settle"), 1);
    session
}

/// Sets a breakpoint; returns its number of locations.
fn sites(session: &mut Session, id: u32, name: &str) -> usize {
    match session.ask(0, Operation::SetBreakpoint(on_function(id, name))) {
        Answer::Breakpoint(_, sites) => sites.len(),
        other => panic!("{other:?}"),
    }
}

fn ok(session: &mut Session, operation: Operation) {
    session.ok(&ProcessSet::all(1), operation);
}

fn go(session: &mut Session) {
    ok(session, Operation::Go);
}

fn libraries(session: &mut Session) -> (Vec<String>, LibraryEvents) {
    match session.ask(0, Operation::Libraries) {
        Answer::Libraries(libraries, events) => (libraries.into_iter().map(|library| library.path).collect(), events),
        other => panic!("{other:?}"),
    }
}

fn has_stopped_at(session: &mut Session, id: u32) {
    assert_eq!(session.stop(0).reason, StopReason::Breakpoint(BreakpointId(id)));
}

/// The next stop, end or event that waits for a front end.
fn next(session: &mut Session) -> Event {
    session.event(Rank(0), "a stop, an end or libraries", |event| {
        let wanted =
            matches!(event, Event::Stopped(_) | Event::Exited(_) | Event::Killed(_) | Event::LibrariesChanged { .. });
        wanted.then(|| event.clone())
    })
}

/// The breakpoints hit until the rank's end; events that wait for a front end are answered.
fn hits(session: &mut Session) -> Vec<u32> {
    let mut hits = Vec::new();
    go(session);
    loop {
        match next(session) {
            Event::Stopped(stop) => {
                let StopReason::Breakpoint(id) = stop.reason else { panic!("{stop:?}") };
                hits.push(id.0);
                if id.0 == 1 {
                    assert_eq!(function_of(&stop.frame), "plugin");
                }
                go(session);
            }
            Event::LibrariesChanged { .. } => ok(session, Operation::Reevaluate),
            Event::Exited(0) => return hits,
            other => panic!("{other:?}"),
        }
    }
}

fn times(id: u32) -> impl Iterator<Item = u32> {
    (0..TIMES).map(move |_| id)
}

fn auto_resolves_what_waits_and_stops_each_time_it_is_loaded_again(kind: Kind) {
    let mut session = begun(kind, RunSettings::default());
    assert_eq!(hits(&mut session), times(1).chain([3, 2]).collect::<Vec<_>>());
    let pending_again = Event::BreakpointMoved(BreakpointId(1), Vec::new());
    assert!(session.events[&Rank(0)].iter().any(|(_, event)| *event == pending_again), "{:#?}", session.events);
}

fn auto_without_a_waiting_breakpoint_stops_for_no_event(kind: Kind) {
    let mut session = begun(kind, RunSettings::default());
    for id in [1, 2] {
        ok(&mut session, Operation::DeleteBreakpoint(BreakpointId(id)));
    }
    go(&mut session);
    has_stopped_at(&mut session, 3);
    let (paths, events) = libraries(&mut session);
    assert_eq!(events, LibraryEvents::default());
    assert!(paths.iter().any(|path| path.ends_with("libother.so")), "found at the stop: {paths:?}");
    // The library is known by now: its breakpoint is not pending.
    assert_eq!(sites(&mut session, 4, "other"), 1);
    go(&mut session);
    has_stopped_at(&mut session, 4);
}

fn fast_stops_for_no_event_and_finds_libraries_at_the_next_stop(kind: Kind) {
    let mut session = begun(kind, policy(Some(false), ""));
    go(&mut session);
    has_stopped_at(&mut session, 3);
    assert_eq!(libraries(&mut session).1, LibraryEvents::default());
    assert_eq!(hits(&mut session), [2]);
}

fn medium_tells_only_what_matches(kind: Kind) {
    let mut session = begun(kind, policy(None, "libnothing*:libplugin.so"));
    go(&mut session);
    for _ in 0..TIMES {
        let event = next(&mut session);
        let Event::LibrariesChanged { loaded, .. } = event else { panic!("{event:?}") };
        assert!(loaded[0].ends_with("libplugin.so"), "{loaded:?}");
        ok(&mut session, Operation::Reevaluate);
        has_stopped_at(&mut session, 1);
        go(&mut session);
    }
    has_stopped_at(&mut session, 3);
    // The program's own libraries, loaded and unloaded each time, and the other library, which the stop has found.
    let events = libraries(&mut session).1;
    assert_eq!(events, LibraryEvents { seen: 2 * TIMES + 2, filtered: TIMES + 2, reported: TIMES });
    assert_eq!(hits(&mut session), [2]);
}

fn slow_tells_every_event(kind: Kind) {
    let mut session = begun(kind, policy(Some(true), ""));
    ok(&mut session, Operation::DeleteBreakpoint(BreakpointId(3)));
    assert_eq!(hits(&mut session), times(1).chain([2]).collect::<Vec<_>>());
    let events = session.events[&Rank(0)].iter();
    let told = events.filter(|(_, event)| matches!(event, Event::LibrariesChanged { .. })).count();
    assert!(told as u64 > 2 * TIMES, "{told}");
}

fn a_rank_that_waits_for_the_front_end_can_be_halted_and_goes_on(kind: Kind) {
    let mut session = begun(kind, policy(Some(true), ""));
    go(&mut session);
    assert!(matches!(next(&mut session), Event::LibrariesChanged { .. }));
    ok(&mut session, Operation::Interrupt);
    assert_eq!(session.stop(0).reason, StopReason::Interrupted);
    go(&mut session);
    ok(&mut session, Operation::Reevaluate);
    has_stopped_at(&mut session, 1);
}

fn a_rank_that_waits_for_the_front_end_can_be_ended(kind: Kind) {
    let mut session = begun(kind, policy(Some(true), ""));
    go(&mut session);
    assert!(matches!(next(&mut session), Event::LibrariesChanged { .. }));
    let stack = Operation::Stack { thread: None, low: 0, high: None, most: None };
    assert_eq!(session.fails(0, stack).code, rankscope::model::ErrorCode::RUNNING);
    ok(&mut session, Operation::Terminate);
    assert!(matches!(session.end(0), Event::Killed(_)));
}

fn the_settings_can_be_changed_under_way(kind: Kind) {
    let mut session = begun(kind, policy(Some(false), ""));
    ok(&mut session, Operation::Configure(RunSettings::default()));
    go(&mut session);
    has_stopped_at(&mut session, 1);
    ok(&mut session, Operation::Configure(policy(Some(false), "")));
    go(&mut session);
    has_stopped_at(&mut session, 3);
}

fn what_a_stop_has_found_is_known_to_breakpoints_set_after_it(kind: Kind) {
    let mut session = begun(kind, policy(Some(false), ""));
    go(&mut session);
    session.stop(0);
    // The stop resolved breakpoint 2; another one is resolved as well.
    ok(&mut session, Operation::DeleteBreakpoint(BreakpointId(2)));
    assert_eq!(sites(&mut session, 5, "other"), 1);
    assert_eq!(hits(&mut session), [5]);
}

/// `dlmopen` loads the same file twice more: its breakpoint has a location in each copy.
fn a_library_in_a_namespace_of_its_own_is_found_each_time(kind: Kind) {
    let mut session = Session::new(kind);
    let library = build::build("gcc", "plugin.c", &["-g", "-O0", "-shared", "-fPIC", "-DNAME=plugin"]);
    let (program, library) = (build::plain("dlmopens.c"), library.display().to_string());
    let arguments = vec![library.clone(), "plugin".to_owned()];
    let program = program.display().to_string();
    session.launch(LaunchSpec { program, arguments, ..LaunchSpec::default() }, 1);
    session.stop(0);
    assert_eq!(sites(&mut session, 1, "plugin"), 0);
    let mut places = Vec::new();
    for copies in 1..=2 {
        go(&mut session);
        let stop = session.stop(0);
        assert_eq!((&stop.reason, function_of(&stop.frame)), (&StopReason::Breakpoint(BreakpointId(1)), "plugin"));
        places.extend(stop.frame.code.address);
        let loaded = libraries(&mut session).0.into_iter().filter(|path| *path == library).count();
        // gdb lists a file once, however often it is loaded.
        assert_eq!(loaded, if kind == Kind::Gdb { 1 } else { copies });
    }
    assert_ne!(places[0], places[1]);
    assert_eq!(sites(&mut session, 2, "plugin"), 2);
    ok(&mut session, Operation::DeleteBreakpoint(BreakpointId(2)));
    assert_eq!(session.go_to_end(0), Event::Exited(0));
}

/// A line that loads a library is stepped over as one line, in each of the ways.
fn a_step_goes_over_a_library_that_comes(kind: Kind) {
    for settings in [RunSettings::default(), policy(Some(false), ""), policy(Some(true), ""), policy(None, "libother*")]
    {
        let mut session = begun(kind, settings.clone());
        for id in [1, 2, 3] {
            ok(&mut session, Operation::DeleteBreakpoint(BreakpointId(id)));
        }
        sites(&mut session, 2, "nowhere_yet");
        let source = std::fs::read_to_string(marks::source(FILE)).unwrap();
        let loads = source.lines().position(|line| line.contains("void *other = dlopen")).unwrap() as u32 + 1;
        session.break_at(breakpoint(9, LocationSpec::FileLine { file: FILE.to_owned(), line: loads }));
        go(&mut session);
        let stop = loop {
            match next(&mut session) {
                Event::Stopped(stop) => break stop,
                Event::LibrariesChanged { .. } => ok(&mut session, Operation::Reevaluate),
                other => panic!("{other:?}"),
            }
        };
        assert_eq!(stop.reason, StopReason::Breakpoint(BreakpointId(9)), "{settings:?}");
        let step = Operation::Step { kind: StepKind::Over, count: 1, context: Default::default() };
        ok(&mut session, step);
        let stop = loop {
            match next(&mut session) {
                Event::Stopped(stop) => break stop,
                Event::LibrariesChanged { .. } => ok(&mut session, Operation::Reevaluate),
                other => panic!("{other:?}"),
            }
        };
        let place = stop.frame.source.as_ref().map(|place| place.line);
        assert_eq!((stop.reason, place), (StopReason::Step, Some(loads + 1)), "{settings:?}");
    }
}

/// From its first step under the other engine, the rank is watched according to the settings.
#[test]
fn the_settings_hold_for_a_rank_that_was_handed_over() {
    for (own, other) in [(EngineName::Native, EngineName::Gdb), (EngineName::Gdb, EngineName::Native)] {
        let handed = |settings| {
            let mut session = prepared(with(own, GdbOptions::default()), settings);
            hand(&mut session, 0, other);
            session
        };
        let mut session = handed(RunSettings::default());
        assert_eq!(hits(&mut session), times(1).chain([3, 2]).collect::<Vec<_>>(), "under {other}");
        let mut session = handed(policy(Some(false), ""));
        assert_eq!(hits(&mut session), [3, 2], "under {other}");
        let mut session = handed(policy(None, "libplugin.so"));
        go(&mut session);
        let event = next(&mut session);
        let Event::LibrariesChanged { loaded, .. } = &event else { panic!("under {other}: {event:?}") };
        assert!(loaded[0].ends_with("libplugin.so"), "{loaded:?}");
        ok(&mut session, Operation::Reevaluate);
        has_stopped_at(&mut session, 1);
        // A breakpoint in the program itself does not wait for a library.
        let mut session = handed(RunSettings::default());
        for id in [1, 2] {
            ok(&mut session, Operation::DeleteBreakpoint(BreakpointId(id)));
        }
        go(&mut session);
        has_stopped_at(&mut session, 3);
        assert_eq!(libraries(&mut session).1, LibraryEvents::default(), "under {other}");
    }
}
