//! Values returned by `finish`, with gdb as the judge.

use crate::driver::{Session, build, line_of};
use rankscope::model::aif::{FormatOptions, format};
use rankscope::model::{Answer, BreakpointId, Context, Event, Operation, StepKind, StopReason};
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

/// gdb treats Rust functions as C functions here and is wrong, if it does not crash.
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

/// Values of every class are passed and returned as the compiler does it; gdb treats the functions as C functions.
#[test]
fn functions_of_rust_are_called_as_their_compiler_calls_them() {
    let program = crate::support::build::build("rustc", "returning.rs", &["--edition=2021", "-g"]);
    let source = include_str!("../programs/returning.rs");
    let mut session = Session::launch(&program, 1);
    session.stop(0);
    session.breakpoint(0, 1, &format!("returning.rs:{}", line_of(source, "// call from here")));
    session.go(0);
    session.stop(0);
    let sum = 3.0 + 2.0 * 3.75 + 3.0 * 12.0 + 4.0 * 7.5 + 5.0 * 50.0 + 6.0 * 6.0 + 7.0 * 9.0 + 8.0 * 4.0;
    for (call, value) in [
        ("integers(5)", "returning::Integers {x: 5, y: 6}"),
        ("mixed(3)", "returning::Mixed {x: 3, y: 2.5}"),
        ("floats(1.5)", "returning::Floats (1.5, 2.5)"),
        ("bytes(7)", "returning::Bytes (7, 8, 9)"),
        ("only(0.5).0 + 1.0", "1.5"),
        ("array(9)", "[9, 9, 9, 9]"),
        ("alternative(2)", "returning::Alternative::Float(1.5)"),
        ("text(word)", "\"bc\""),
        ("maybe(4)", "core::option::Option<i32>::Some(4)"),
        ("maybe_float(2.5)", "core::option::Option<f64>::Some(2.5)"),
        ("checked(3)", "core::result::Result<i32, u8>::Ok(3)"),
        ("wide(5)", "18446744073709551621"),
        ("tuple(3)", "(3, true)"),
        ("three(2)", "(2, 1, 2)"),
        ("letter(66)", "66 'B'"),
        ("truth(2)", "true"),
        ("far(5)", "[5, 6, 7]"),
        ("far(7)[2] + 1", "10"),
        ("taking(a, b, c, d, e, f, g, h)", &sum.to_string()),
    ] {
        let asked = Operation::Print {
            context: Context::default(),
            expression: call.to_owned(),
            raw: false,
            limits: None,
            unrecorded: false,
            most: None,
            picture: None,
        };
        let answer = session.ask(0, asked);
        let Answer::Data(datum) = answer else { panic!("{call}: {answer:?}") };
        assert_eq!(format(&datum, &FormatOptions::default()).unwrap(), value, "{call}");
    }
    session.ok(0, Operation::DeleteBreakpoint(BreakpointId(1)));
    session.go(0);
    assert_eq!(session.end(0), Event::Exited(0));
}
