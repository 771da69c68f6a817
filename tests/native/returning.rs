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

/// gdb takes functions of Rust for those of C here and is mistaken, where it does not end itself.
#[test]
fn values_that_functions_of_rust_return() {
    let expected = [
        ("integers", "returning::Integers {x: 1, y: 2}"),
        ("mixed", "returning::Mixed {x: 1, y: 2.5}"),
        ("floats", "returning::Floats (1, 2.5)"),
        ("bytes", "returning::Bytes (1, 2, 3)"),
        ("only", "returning::Only (1)"),
        ("array", "[1, 1, 1, 1]"),
        ("alternative", "returning::Alternative::Words{x: 3, y: 4}"),
        ("alternative", "returning::Alternative::Float(1.5)"),
        ("text", "\"bc\""),
        ("boxed", "core::option::Option<alloc::boxed::Box<i32, alloc::alloc::Global>>::None"),
        ("maybe", "core::option::Option<i32>::Some(1)"),
        ("maybe_float", "core::option::Option<f64>::Some(1)"),
        ("checked", "core::result::Result<i32, u8>::Ok(7)"),
        ("wide", "18446744073709551617"),
        ("tuple", "(1, true)"),
        ("three", "(1, 1, 2)"),
        ("letter", "65 'A'"),
        ("truth", "true"),
        ("nested", "core::option::Option<core::option::Option<bool>>::Some(core::option::Option<bool>::Some(true))"),
        ("nothing", "nothing"),
        ("far", "nothing"),
    ];
    for options in [&["--edition=2021", "-g"][..], &["--edition=2021", "-g", "-Csymbol-mangling-version=v0"]] {
        let program = crate::support::build::build("rustc", "returning.rs", options);
        let mut session = Session::launch(&program, 1);
        session.stop(0);
        let mut names: Vec<&str> = expected.iter().map(|(name, _)| *name).collect();
        names.dedup();
        for (id, name) in names.iter().enumerate() {
            session.breakpoint(0, id as u32 + 1, &format!("returning::{name}"));
        }
        for (name, value) in expected {
            session.go(0);
            session.stop(0);
            session.ok(0, Operation::Step { kind: StepKind::Finish, count: 1, context: Context::default() });
            let stop = session.stop(0);
            let StopReason::Finished(found) = stop.reason else { panic!("{stop:?}") };
            let found = found.map(|found| format(&found, &FormatOptions::default()).unwrap());
            assert_eq!(found.as_deref().unwrap_or("nothing"), value, "{name} {options:?}");
        }
    }
}
