//! A program and its library: without debug information, and with separate debug information.

use crate::session::{Kind, Session, breakpoint, function_of, known, line_of, on_function};
use crate::support::{build::build, marks};
use rankscope::model::{BreakpointId, Context, Event, LaunchSpec, LocationSpec, Operation, StepKind, StopReason};
use std::path::Path;
use std::process::Command;

of_processes!(
    finish_out_of_a_function_without_debug_information_ends_in_its_caller,
    debug_information_of_a_library_may_be_in_a_file_of_its_own,
);

/// The program with the library from this directory, stopped in main.
fn launched(kind: Kind, directory: &Path) -> Session {
    let (place, run) = (format!("-L{}", directory.display()), format!("-Wl,-rpath,{}", directory.display()));
    let program = build("gcc", "parted.c", &["-g", "-O0", &place, "-lpart", &run]);
    let mut session = Session::new(kind);
    session.launch(LaunchSpec { program: program.display().to_string(), ..LaunchSpec::default() }, 1);
    session.stop(0);
    session
}

fn finish_out_of_a_function_without_debug_information_ends_in_its_caller(kind: Kind) {
    let library = build("gcc", "part.c", &["-O0", "-shared", "-fPIC"]);
    let mut session = launched(kind, library.parent().unwrap());
    session.break_at(on_function(1, "part"));
    let stop = session.go(0);
    assert_eq!((&stop.reason, function_of(&stop.frame)), (&StopReason::Breakpoint(BreakpointId(1)), "part"));
    assert_eq!(stop.frame.source, None);
    let stop = session.step(0, StepKind::Finish);
    assert_eq!(stop.reason.word(), "finished", "{stop:?}");
    assert_eq!((function_of(&stop.frame), stop.note), ("main", None));
    assert_eq!(session.go_to_end(0), Event::Exited(0));
}

fn run(program: &str, arguments: &[&str], directory: &Path) {
    let output = Command::new(program).args(arguments).current_dir(directory).output().unwrap();
    assert!(output.status.success(), "{program} {arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
}

fn debug_information_of_a_library_may_be_in_a_file_of_its_own(kind: Kind) {
    let directory = tempfile::tempdir().unwrap();
    let library = build("gcc", "part.c", &["-g", "-O0", "-shared", "-fPIC"]);
    std::fs::copy(library, directory.path().join("libpart.so")).unwrap();
    for arguments in [
        &["--only-keep-debug", "libpart.so", "libpart.so.debug"][..],
        &["--strip-debug", "--add-gnu-debuglink=libpart.so.debug", "libpart.so"],
    ] {
        run("objcopy", arguments, directory.path());
    }
    let mut session = launched(kind, directory.path());
    let source = std::fs::read_to_string(marks::source("part.c")).unwrap();
    let line = source.lines().position(|line| line.contains("part_value +=")).unwrap() as u32 + 1;
    session.break_at(breakpoint(1, LocationSpec::FileLine { file: "part.c".to_owned(), line }));
    let stop = session.go(0);
    assert_eq!((function_of(&stop.frame), line_of(&stop.frame)), ("part", line));
    assert!(stop.frame.code.module.as_deref().is_some_and(|module| module.ends_with("/libpart.so")), "{stop:?}");
    let context = Context { thread: None, frame: 0 };
    assert_eq!(known(&session.variables(Operation::Locals(context)), "twice").type_name, "int");
    assert_eq!((session.integer("twice"), session.integer("part_thread"), session.integer("part_value")), (8, 35, 12));
}
