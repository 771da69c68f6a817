//! Errors that run-time libraries report stop the rank at the report, with the library's words.

use crate::support::batch::{Outcome, json};
use crate::support::build::build;
use crate::support::marks::line;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

/// Runs four ranks of a program, of which the first succeeds, until they stop or end.
#[track_caller]
fn run(program: &Path, how: &str) -> Outcome {
    json(&["-n", "4"], &[program.to_str().unwrap(), how], "go\nwait\nstatus\n")
}

/// Returns the state in which the ranks 1 to 3 stopped, which must be one.
#[track_caller]
fn stopped(outcome: &Outcome) -> Value {
    assert_eq!(outcome.ranks("stopped", "reason", "error"), "1-3", "{}", outcome.text);
    let groups = outcome.of("status").pop().unwrap()["groups"].clone();
    let stopped: Vec<_> = groups.as_array().unwrap().iter().filter(|group| group["state"] == "stopped").collect();
    assert_eq!((stopped.len(), &stopped[0]["ranks"]), (1, &json!("1-3")), "{groups:#?}");
    stopped[0].clone()
}

fn fortran() -> PathBuf {
    build("gfortran", "stops.f90", &["-g", "-O0", "-fcheck=all"])
}

/// Checks the text of an error, and the line of the user's code that led to it.
#[track_caller]
fn reports(how: &str, text: &str, mark: &str) -> Value {
    let state = stopped(&run(&fortran(), how));
    let cause = &state["cause"];
    assert_eq!((&cause["kind"], &cause["text"]), (&json!("fortran"), &json!(text)), "{how}: {state:#}");
    assert_eq!(state["user"]["line"], line("stops.f90", mark), "{how}: {state:#}");
    cause.clone()
}

/// Checks that the library's message names the line, too.
#[track_caller]
fn reports_line(how: &str, text: &str, mark: &str) {
    let cause = reports(how, text, mark);
    assert_eq!(cause["line"], line("stops.f90", mark), "{how}: {cause:#}");
    assert!(cause["file"].as_str().unwrap().ends_with("tests/programs/stops.f90"), "{how}: {cause:#}");
}

#[test]
fn error_stop_names_its_code() {
    reports("error number", "ERROR STOP 3", "number");
    reports("error text", "ERROR STOP negative size", "text");
    reports("stop number", "STOP 4", "stop");
}

#[test]
fn a_normal_stop_of_fortran_is_none_of_an_error() {
    for how in ["stop text", "stop zero", "nothing"] {
        let outcome = run(&fortran(), how);
        assert_eq!(outcome.ranks("stopped", "reason", "error"), "", "{how}: {}", outcome.text);
        assert_eq!(outcome.ranks("exited", "code", 0), "0-3", "{how}: {}", outcome.text);
    }
}

#[test]
fn runtime_errors_of_fortran_are_named_with_their_place() {
    let bounds = "Index '7' of dimension 1 of array 'a' above upper bound of 3";
    reports_line("bounds", bounds, "bounds");
    reports_line("again", "Attempting to allocate already allocated variable 'a'", "again");
    reports_line("open", "Cannot open file '/nonexistent/file': No such file or directory", "open");
    reports_line("end", "End of file", "end");
    reports_line("number", "Bad integer for item 1 in list input", "conversion");
}

/// Checks the report of a sanitizer on a program that was compiled with it.
#[track_caller]
fn sanitizer(compiler: &str, options: &[&str], how: &str, text: &str, mark: &str) {
    let program = build(compiler, "sanitized.c", &[&["-g", "-O0", "-pthread"], options].concat());
    let state = stopped(&run(&program, how));
    let cause = &state["cause"];
    assert_eq!((&cause["kind"], &cause["text"]), (&json!("sanitizer"), &json!(text)), "{compiler}: {state:#}");
    assert_eq!(cause["line"], line("sanitized.c", mark), "{compiler}: {state:#}");
    assert!(cause["file"].as_str().unwrap().ends_with("/tests/programs/sanitized.c"), "{compiler}: {state:#}");
    assert_eq!(state["user"]["line"], line("sanitized.c", mark), "{compiler}: {state:#}");
}

#[test]
fn a_report_of_address_sanitizer_stops_with_its_summary() {
    for compiler in ["gcc", "clang"] {
        let options = ["-fsanitize=address"];
        sanitizer(compiler, &options, "overflow", "AddressSanitizer: heap-buffer-overflow in put", "overflow");
        sanitizer(compiler, &options, "freed", "AddressSanitizer: heap-use-after-free in put", "overflow");
    }
}

#[test]
fn undefined_behaviour_stops_before_it_ends_the_program() {
    for compiler in ["gcc", "clang"] {
        let options = ["-fsanitize=undefined", "-fno-sanitize-recover=all"];
        let check = |how, words: &str, mark| {
            sanitizer(compiler, &options, how, &format!("UndefinedBehaviorSanitizer: {words}"), mark);
        };
        let add = "signed integer overflow: 2147483647 + 2 cannot be represented in type 'int'";
        check("add", add, "add");
        check("divide", "division by zero", "divide");
        check(
            "index",
            if compiler == "gcc" {
                "index 7 out of bounds for type 'int [4]'"
            } else {
                "index 7 out of bounds for type 'int[4]'"
            },
            "index",
        );
        check("null", "load of null pointer of type 'int'", "null");
    }
}

#[test]
fn undefined_behaviour_that_the_program_survives_does_not_stop_it() {
    let program = build("gcc", "sanitized.c", &["-g", "-O0", "-pthread", "-fsanitize=undefined"]);
    let outcome = run(&program, "add");
    assert_eq!(outcome.ranks("stopped", "reason", "error"), "", "{}", outcome.text);
    assert_eq!(outcome.ranks("exited", "code", 0), "0-3", "{}", outcome.text);
}

#[test]
fn a_data_race_stops_with_its_report() {
    let program = build("gcc", "sanitized.c", &["-g", "-O0", "-pthread", "-fsanitize=thread"]);
    let state = stopped(&run(&program, "race"));
    assert_eq!(state["cause"]["text"], "ThreadSanitizer: data race in count", "{state:#}");
    assert_eq!(state["cause"]["line"], line("sanitized.c", "race"), "{state:#}");
}

#[test]
fn a_rank_without_a_first_stop_stops_for_an_error() {
    let program = fortran();
    let options = ["-n", "4", "--stop-at", "none"];
    let outcome = json(&options, &[program.to_str().unwrap(), "error number"], "wait\nstatus\n");
    assert_eq!(stopped(&outcome)["cause"]["text"], "ERROR STOP 3");
}
