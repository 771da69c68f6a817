//! Stops for fatal signals name their cause: what the program or its libraries said.

use crate::support::batch::{Outcome, Place, json};
use crate::support::build::build;
use crate::support::marks::line;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

fn failing() -> PathBuf {
    build("gcc", "failing.c", &["-g", "-O0", "-fstack-protector-all", "-w", "-pthread", "-lm"])
}

/// Runs four ranks of a program, of which the first succeeds, until they stop.
#[track_caller]
fn run(program: &Path, how: &str) -> Outcome {
    json(&["-n", "4"], &[program.to_str().unwrap(), how], "go\nwait stopped\nstatus\n")
}

#[track_caller]
fn failed(how: &str) -> Outcome {
    run(&failing(), how)
}

/// Returns the cause of the ranks 1 to 3, which must be one.
#[track_caller]
fn cause(outcome: &Outcome) -> Value {
    cause_on("1-3", outcome)
}

/// Returns the cause of these ranks, which must be one.
#[track_caller]
fn cause_on(ranks: &str, outcome: &Outcome) -> Value {
    let stops: Vec<_> = outcome.of("stopped").into_iter().filter(|stop| stop["reason"] == "signal").collect();
    let causes: Vec<_> = stops.iter().map(|stop| stop["cause"].clone()).collect();
    assert!(causes.windows(2).all(|pair| pair[0] == pair[1]), "{causes:#?}");
    assert_eq!(outcome.ranks("stopped", "reason", "signal"), ranks, "{}{}", outcome.text, outcome.errors);
    let groups = outcome.of("status").pop().unwrap()["groups"].clone();
    let stopped: Vec<_> = groups.as_array().unwrap().iter().filter(|group| group["state"] == "stopped").collect();
    assert_eq!((stopped.len(), &stopped[0]["ranks"]), (1, &json!(ranks)), "{groups:#?}");
    assert_eq!(stopped[0]["cause"], causes[0]);
    causes[0].clone()
}

/// Returns the cause that a program's stop has under both engines.
#[track_caller]
fn cause_of(how: &str) -> Value {
    let native = cause(&failed(how));
    let arguments = [failing().display().to_string(), how.to_owned()];
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let outcome = json(&["--engine", "gdb", "-n", "2"], &arguments, "go\nwait stopped\nstatus\n");
    assert_eq!(cause_on("1", &outcome), native, "{how}: gdb and native");
    native
}

#[test]
fn a_failed_assertion_is_named_with_its_place() {
    let cause = cause_of("assert");
    assert_eq!(cause["kind"], "assert");
    assert_eq!(cause["text"], r#"n > 0 && "not empty""#);
    assert_eq!(cause["line"], line("failing.c", "assert"));
    let file = cause["file"].as_str().unwrap();
    assert!(file.starts_with('/') && file.ends_with("tests/programs/failing.c"), "{file}");
}

#[test]
fn damage_that_the_c_library_finds_is_named() {
    assert_eq!(cause_of("free"), json!({"kind": "abort", "text": "free(): invalid pointer"}));
    assert_eq!(cause_of("smash"), json!({"kind": "abort", "text": "stack smashing detected"}));
}

#[test]
fn an_abort_without_words_has_no_cause() {
    assert_eq!(cause_of("plain"), Value::Null);
}

#[track_caller]
fn text(how: &str) -> String {
    let program = failing();
    let arguments = ["run", "--timeout", "80", "--batch", "-", "-n", "4", program.to_str().unwrap(), how];
    Place::new().run(&arguments, "go\nwait stopped\nstatus\n").text
}

#[test]
fn a_cause_stands_in_the_line_of_the_stop() {
    let text = text("assert");
    let place = format!("failing.c:{}", line("failing.c", "assert"));
    let words = format!(r#"[1-3] stopped: SIGABRT (assertion "n > 0 && "not empty"" failed, {place}), "#);
    assert_eq!(text.lines().filter(|row| row.starts_with(&words)).count(), 2, "{text}");
}

#[test]
fn words_of_the_program_do_not_steer_the_terminal() {
    let cause = cause(&failed("steers"));
    let file = "odd\u{1b}[1m.c";
    assert_eq!(cause, json!({"kind": "assert", "text": "n\u{1b}[2J\n\u{fffd}", "file": file, "line": 7}));
    let text = text("steers");
    assert!(text.contains("(assertion \"n\\u{1b}[2J \u{2026}\" failed, odd\\u{1b}[1m.c:7), "), "{text}");
    assert!(!text.contains('\u{1b}'), "{text}");
}

#[test]
fn a_full_stack_is_told_from_other_faults() {
    let full = |text| json!({"kind": "stack_overflow", "text": text});
    let recursion = "stack overflow: descend calls itself, the stack of 1 MiB is full";
    assert_eq!(cause_of("recursion"), full(recursion));
    assert_eq!(cause_of("thread"), full("stack overflow: descend calls itself, the stack is full"));
    assert_eq!(
        cause_of("array"),
        full("stack overflow: needs has 64 MiB or more of local variables, the stack has 1 MiB")
    );
}

#[test]
fn null_pointers_are_named() {
    let null = |text| json!({"kind": "null_pointer", "text": text});
    assert_eq!(cause_of("null"), null("address 0x10 is not mapped: row is a null pointer"));
    assert_eq!(cause_of("before"), null("address 0xfffffffffffffff0 is not mapped: row is a null pointer"));
    assert_eq!(cause_of("member"), null("address 0x0 is not mapped: row->name[1] is a null pointer"));
    assert_eq!(cause_of("chain"), null("address 0x18 is not mapped: row->next is a null pointer"));
    assert_eq!(cause_of("beginning"), null("address 0x18 is not mapped: row is a null pointer"));
    assert_eq!(cause_of("two"), null("address 0x10 is not mapped: a null pointer plus 16"));
    assert_eq!(cause_of("call"), null("call of a null function pointer"));
}

#[test]
fn wild_pointers_are_described_without_their_addresses() {
    let wild = |text| json!({"kind": "wild_pointer", "text": text});
    assert_eq!(cause_of("wild"), wild("row is a wild pointer: its value cannot be an address"));
    assert_eq!(cause_of("unmapped"), wild("row is a wild pointer: nothing is mapped at its address"));
    assert_eq!(cause_of("read-only"), wild("write to read-only memory"));
    assert_eq!(cause_of("jump"), wild("jump to an address without code"));
    assert_eq!(cause_of("sent"), Value::Null, "raise(3) has no address");
}

#[test]
fn elements_outside_of_memory_are_named_with_their_indices() {
    let wild = |text| json!({"kind": "wild_pointer", "text": text});
    assert_eq!(cause_of("element"), wild("data[i] is outside of the program's memory: i = 400000002"));
    let matrix = "matrix[i / 100][c] is outside of the program's memory: i / 100 = 4000000, c = 3";
    assert_eq!(cause_of("matrix"), wild(matrix));
    let negative = "data[2 * i + 4] is outside of the program's memory: 2 * i + 4 = -800000000";
    assert_eq!(cause_of("negative"), wild(negative));
    // Of two elements the one that the program has reached first.
    assert_eq!(cause_of("elements"), wild("data[i + 1] is outside of the program's memory: i + 1 = 400000003"));
    assert_eq!(cause_of("one-line"), wild("list[at] is outside of the program's memory: at = -400000002"));
    assert_eq!(cause_of("null-element"), json!({"kind": "null_pointer", "text": "nothing is a null pointer"}));
}

#[test]
fn no_variable_of_the_caller_is_blamed_for_the_line_of_an_inlined_function() {
    for level in ["-O1", "-O2"] {
        let program = build("gcc", "merged.c", &["-g", level]);
        for engine in ["native", "gdb"] {
            let options = ["--engine", engine, "-n", "2"];
            let outcome = json(&options, &[program.to_str().unwrap()], "go\nwait stopped\nstatus\n");
            let cause = cause_on("0-1", &outcome);
            let stop = outcome.of("stopped").into_iter().find(|stop| stop["reason"] == "signal").unwrap();
            assert_eq!((&stop["function"], &stop["line"]), (&json!("sum"), &json!(line("merged.c", "at"))), "{stop:#}");
            let unnamed = json!({"kind": "wild_pointer", "text": "wild pointer: nothing is mapped at its address"});
            assert_eq!(cause, unnamed, "{level} {engine}");
        }
    }
}

#[test]
fn a_mapped_file_that_was_cut_off_is_named() {
    for engine in ["native", "gdb"] {
        // Others would write to the same file.
        let program = failing();
        let options = ["--engine", engine, "-n", "2"];
        let outcome = json(&options, &[program.to_str().unwrap(), "cut"], "go\nwait stopped\nstatus\n");
        let text = format!("access behind the end of the mapped file {}.mapped", program.display());
        assert_eq!(cause_on("1", &outcome), json!({"kind": "wild_pointer", "text": text}), "{engine}");
    }
}

#[test]
fn arithmetic_without_a_result_is_named() {
    let fpe = |text| json!({"kind": "fpe", "text": text});
    assert_eq!(cause_of("divide"), fpe("integer division by zero"));
    assert_eq!(cause_of("least"), fpe("integer division whose result has too many bits"));
    assert_eq!(cause_of("float"), fpe("floating-point division by zero"));
    assert_eq!(cause_of("invalid"), fpe("invalid floating-point operation"));
}

/// Compares the causes that a program's exceptions have.
#[track_caller]
fn thrown(options: &[&str], expected: &[(&str, &str, Option<&str>)]) {
    thrown_under("native", options, expected);
}

/// The same under an engine.
#[track_caller]
fn thrown_under(engine: &str, options: &[&str], expected: &[(&str, &str, Option<&str>)]) {
    let program = build("g++", "uncaught.cpp", &[&["-g", "-O0", "-pthread"], options].concat());
    for (how, text, mark) in expected {
        let program = program.to_str().unwrap();
        let outcome = json(&["--engine", engine, "-n", "4"], &[program, how], "go\nwait stopped\nstatus\n");
        let cause = cause(&outcome);
        assert_eq!((&cause["kind"], &cause["text"]), (&json!("exception"), &json!(text)), "{how}");
        if let Some(mark) = mark {
            assert_eq!(cause["line"], line("uncaught.cpp", mark), "{how}");
            assert!(cause["file"].as_str().unwrap().ends_with("/uncaught.cpp"));
        }
    }
}

#[test]
fn an_uncaught_exception_is_named_with_its_words() {
    let expected = [
        ("derived", "uncaught mesh::Broken: cell 7 is\nbad", Some("broken")),
        ("noexcept", "mesh::Broken left a noexcept function: cell 7 is\nbad", None),
        ("logic", "uncaught std::out_of_range: index 9", Some("logic")),
        ("again", "uncaught std::runtime_error: kept for later", None),
        ("thread", "uncaught std::runtime_error: in a thread", None),
        ("handled", "std::terminate was called while std::logic_error was handled: not so bad", None),
        ("none", "std::terminate was called without an exception", None),
        ("joinable", "a std::thread was destroyed before it was joined or detached", None),
        ("pure", "pure virtual method called", None),
        ("destructor", "mesh::Broken left a noexcept function: in a destructor", None),
    ];
    thrown(&[], &expected);
}

#[test]
fn an_exception_of_any_type_is_named() {
    let expected = [
        ("own", "uncaught mesh::Own", None),
        ("text", "uncaught char const*: plain words", None),
        ("number", "uncaught int: 42", None),
        ("memory", "uncaught std::bad_alloc", None),
    ];
    thrown(&[], &expected);
    let program = build("g++", "uncaught.cpp", &["-g", "-O0", "-pthread"]);
    let text = cause(&run(&program, "string"))["text"].as_str().unwrap().to_owned();
    assert!(text.ends_with(": a long text that is not kept in the string itself"), "{text}");
}

#[test]
fn exceptions_are_named_under_gdb_too() {
    let expected = [
        ("derived", "uncaught mesh::Broken: cell 7 is\nbad", Some("broken")),
        ("noexcept", "mesh::Broken left a noexcept function: cell 7 is\nbad", None),
        ("number", "uncaught int: 42", None),
        ("thread", "uncaught std::runtime_error: in a thread", None),
        ("none", "std::terminate was called without an exception", None),
    ];
    thrown_under("gdb", &[], &expected);
}

#[test]
fn exceptions_are_named_in_a_static_program() {
    thrown(&["-static"], &[("logic", "uncaught std::out_of_range: index 9", Some("logic"))]);
}
