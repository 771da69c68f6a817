//! What `finish` says of the value returned, with gdb as the judge.

use crate::driver::{Session, build};
use rankscope::model::aif::{FormatOptions, format};
use rankscope::model::{Context, Operation, StepKind, StopReason};
use std::process::Command;

const RETURNS: &str = include_str!("../programs/returned_values.c");

#[test]
fn returned_values_are_those_gdb_says() {
    let program = build(RETURNS, &[]);
    let names = [
        "letter", "half", "negative", "single", "twice", "wide", "mood", "truth", "small", "mixed", "floats", "big",
        "either", "nothing",
    ];
    let mut gdb = Command::new("gdb");
    gdb.args(["-q", "-nx", "-batch", "-ex", "set debuginfod enabled off"]);
    for name in names {
        gdb.args(["-ex", &format!("break {name}")]);
    }
    gdb.args(["-ex", "run"]);
    for _ in names {
        gdb.args(["-ex", "finish", "-ex", "echo @\\n", "-ex", "continue"]);
    }
    let output = gdb.arg(&program.path).output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let mut expected = Vec::new();
    for part in text.split('@').take(names.len()) {
        let value = part.lines().find_map(|line| line.strip_prefix("Value returned is $"));
        expected.push(value.map(|value| value.split_once(" = ").unwrap().1.to_owned()));
    }
    let mut session = Session::launch(&program.path, 1);
    session.stop(0);
    for (id, name) in names.iter().enumerate() {
        session.breakpoint(0, id as u32 + 1, name);
    }
    let mut found = Vec::new();
    for _ in names {
        session.go(0);
        session.stop(0);
        session.ok(0, Operation::Step { kind: StepKind::Finish, count: 1, context: Context::default() });
        let stop = session.stop(0);
        let StopReason::Finished(value) = stop.reason else { panic!("{stop:?}") };
        found.push(value.map(|value| format(&value, &FormatOptions::default()).unwrap()));
    }
    assert_eq!(expected.iter().filter(|value| value.is_some()).count(), names.len() - 1, "{text}");
    for ((name, ours), theirs) in names.iter().zip(found).zip(expected) {
        assert_eq!(ours, theirs, "{name}");
    }
}
