//! First stops at a location given by the user.

use crate::session::{CONTRACT, Kind, Session, all, function_of};
use crate::support::build::build;
use crate::support::points::{change, watch};
use rankscope::model::{Armed, Event, LaunchSpec, LocationSpec, Rank, StopAt, WatchAccess};
use std::path::Path;
use std::process::Command;

of_processes!(
    a_first_stop_that_is_nowhere_is_said_once,
    a_program_in_rust_starts_in_its_own_main,
    a_program_in_fortran_starts_where_debug_information_marks_it,
    the_place_of_an_element_is_watched_in_every_language,
);

fn a_first_stop_that_is_nowhere_is_said_once(kind: Kind) {
    let warnings = |place: &str, end: Event| {
        let mut session = Session::new(kind);
        let stop_at = StopAt::Location(LocationSpec::parse(place).unwrap());
        session.launch(LaunchSpec { stop_at, ..kind.spec(CONTRACT, &["work"]) }, 1);
        let stops = |event: &Event| matches!(event, Event::Stopped(_)) || *event == end;
        session.event(Rank(0), "a stop or the end", |event| stops(event).then_some(()));
        let told = session.events[&Rank(0)].iter().filter_map(|(_, event)| match event {
            Event::Message(_, text) => Some(text.clone()),
            _ => None,
        });
        told.collect::<Vec<_>>()
    };
    let ended = Event::Exited(1);
    for place in ["nosuch", "contract.c:4000", "4000"] {
        let told = warnings(place, ended.clone());
        let [one] = told.as_slice() else { panic!("{place}: {told:?}") };
        assert!(one.starts_with(&format!("cannot stop at {place}: ")), "{one}");
    }
    // The last one is in a library that is not loaded at first.
    for place in ["leaf", "contract.c:60", "exit"] {
        assert_eq!(warnings(place, ended.clone()), Vec::<String>::new(), "{place}");
    }
}

fn started(kind: Kind, program: &Path) -> (Session, String) {
    let mut session = Session::new(kind);
    session.launch(LaunchSpec { program: program.display().to_string(), ..LaunchSpec::default() }, 1);
    let stops = session.stops(&all(1));
    let function = function_of(&stops[&Rank(0)].frame).to_owned();
    (session, function)
}

fn a_program_in_rust_starts_in_its_own_main(kind: Kind) {
    let program = build("rustc", "rusty.rs", &["--edition=2021", "-g"]);
    assert_eq!(started(kind, &program).1, "rusty::main");
}

/// Also without the symbol that would identify it.
fn a_program_in_fortran_starts_where_debug_information_marks_it(kind: Kind) {
    let program = build("gfortran", "watched_main.f90", &["-g", "-O0"]);
    let stripped = tempfile::tempdir().unwrap();
    let stripped = stripped.path().join("stripped");
    let mut objcopy = Command::new("objcopy");
    assert!(objcopy.arg("--strip-symbol=MAIN__").arg(&program).arg(&stripped).status().unwrap().success());
    assert_eq!(started(kind, &stripped).1, "walk");
}

fn the_place_of_an_element_is_watched_in_every_language(kind: Kind) {
    let program = build("gfortran", "watched_main.f90", &["-g", "-O0"]);
    let (mut session, _) = started(kind, &program);
    assert_eq!(session.arm(watch(3, WatchAccess::Change, "-location grid(3)")), Armed::Hardware);
    // The value that `begin` assigns; it was undefined before.
    while change(&session.go(0).reason).2 != "7" {}
    assert_eq!(change(&session.go(0).reason).2, "2");
}
