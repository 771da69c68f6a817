//! Every stop of a long series of steps, with gdb as the judge.

use crate::driver::{Session, build, build_by, compile, place};
use rankscope::model::{Context, Event, Operation, StepKind};
use std::path::Path;
use std::process::Command;

const WALK: &str = include_str!("../programs/walk.c");

/// Function and line after each repetition of gdb's command, up to the end of the process.
fn gdb_walk(program: &Path, command: &str, count: usize) -> Vec<(String, u32)> {
    let mut gdb = Command::new("gdb");
    gdb.args(["-q", "-nx", "-batch", "-ex", "set debuginfod enabled off", "-ex", "break main", "-ex", "run"]);
    for _ in 0..count {
        gdb.args(["-ex", command, "-ex", "echo ~~~\\n", "-ex", "frame"]);
    }
    let output = gdb.arg(program).output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let after = text.split("~~~").skip(1);
    let places = after.map_while(|part| {
        let line = part.lines().find(|line| line.starts_with("#0"))?;
        let (head, source) = line.rsplit_once(" at ")?;
        let function = head.trim_start_matches("#0").split(" in ").last()?.trim().split(' ').next()?;
        Some((function.to_owned(), source.rsplit_once(':')?.1.parse().ok()?))
    });
    places.take_while(|(function, _)| !function.starts_with("__libc")).collect()
}

fn our_walk(program: &Path, kind: StepKind, count: usize) -> Vec<(String, u32)> {
    let mut session = Session::launch(program, 1);
    session.stop(0);
    let mut places = Vec::new();
    for _ in 0..count {
        session.ok(0, Operation::Step { kind, count: 1, context: Context::default() });
        let event = session.event(0, |event| matches!(event, Event::Stopped(_) | Event::Exited(_)));
        let Event::Stopped(stop) = event else { break };
        places.push(place(&stop));
    }
    places
}

fn judge(options: &[&str], kind: StepKind, command: &str, count: usize, least: usize) {
    let program = build(WALK, options);
    judge_program(&program.path, kind, command, count, least);
}

fn judge_program(program: &Path, kind: StepKind, command: &str, count: usize, least: usize) {
    let theirs = gdb_walk(program, command, count);
    let ours = our_walk(program, kind, theirs.len());
    assert!(theirs.len() >= least, "{theirs:?}");
    let differs = ours.iter().zip(&theirs).position(|(a, b)| a != b);
    assert_eq!(ours, theirs, "first difference at {differs:?}");
}

#[test]
fn a_walk_into_everything_is_that_of_gdb() {
    judge(&["-g", "-O0"], StepKind::Into, "step", 90, 50);
}

#[test]
fn a_walk_that_does_not_go_back_is_that_of_gdb() {
    for (options, least) in [(["-g", "-O0"], 11), (["-g", "-O1"], 8), (["-g", "-O2"], 8)] {
        judge(&options, StepKind::Onward, "until", 60, least);
    }
}

#[test]
fn a_walk_over_calls_is_that_of_gdb() {
    judge(&["-g", "-O0"], StepKind::Over, "next", 40, 15);
}

#[test]
fn a_walk_through_optimised_code_is_that_of_gdb() {
    judge(&["-g", "-O1", "-fno-inline"], StepKind::Into, "step", 60, 20);
}

#[test]
fn a_step_goes_into_what_a_resolver_chooses() {
    let directory = tempfile::tempdir().unwrap();
    let programs = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs");
    let (library, program) = (directory.path().join("libresolved.so"), directory.path().join("resolved"));
    compile(&programs.join("resolved_library.c"), &library, &["-g", "-O0", "-shared", "-fPIC"]);
    let search = format!("-Wl,-rpath,{}", directory.path().display());
    for binding in ["-Wl,-z,lazy", "-Wl,-z,now"] {
        let options = ["-g", "-O0", "-fno-builtin", library.to_str().unwrap(), &search, binding];
        compile(&programs.join("resolved.c"), &program, &options);
        // After the last of them comes the C library, with or without lines.
        judge_program(&program, StepKind::Into, "step", 18, 15);
        judge_program(&program, StepKind::Over, "next", 6, 6);
    }
}

#[test]
fn a_step_ends_where_gdb_takes_a_function_to_begin() {
    // Debian's clang marks the end of a prologue, which breakpoints follow and steps do not.
    let source = include_str!("../programs/optimised.c");
    for compiler in ["gcc", "clang"] {
        let program = build_by(compiler, source, &["-g", "-O1"]);
        judge_program(&program.path, StepKind::Into, "step", 10, 8);
    }
}
