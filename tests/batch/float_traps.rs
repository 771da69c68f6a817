//! `catch fpe`: the stops of many ranks as one, in text and in JSON.

use crate::support::batch::{Place, json};
use crate::support::build::build;
use crate::support::marks::line;
use serde_json::json;
use std::path::PathBuf;

fn fortran() -> PathBuf {
    build("gfortran", "quotients.f90", &["-g", "-O0", "-ffree-line-length-none"])
}

#[test]
fn ranks_that_divide_by_zero_are_reported_together() {
    let program = fortran();
    let program = program.to_str().unwrap();
    let outcome = json(&["-n", "3"], &[program], "catch fpe\ngo\nwait\nbreakpoints\ngo\nwait exited\n").expect(0);
    assert_eq!(outcome.ranks("stopped", "reason", "fpe"), "0-2", "{}", outcome.text);
    let stops: Vec<_> = outcome.of("stopped").into_iter().filter(|stop| stop["reason"] == "fpe").collect();
    assert_eq!(stops.len(), 1, "{}", outcome.text);
    let stop = &stops[0];
    assert_eq!((&stop["catchpoint"], &stop["exceptions"]), (&json!(1), &json!(["zero"])));
    assert_eq!((&stop["function"], &stop["line"]), (&json!("quotient"), &json!(line("quotients.f90", "quotient"))));
    assert!(stop["instruction"].as_str().unwrap().starts_with("divsd "), "{stop:#}");
    let operands = &stop["operands"];
    assert_eq!((&operands[0]["name"], &operands[0]["value"]), (&json!("xmm0"), &json!("<differs>")), "{stop:#}");
    assert_eq!((&operands[1]["value"], &operands[1]["value_type"]), (&json!("0"), &json!("double")), "{stop:#}");
    let point = &outcome.of("breakpoint")[0];
    assert_eq!((&point["kind"], &point["location"]), (&json!("catchpoint"), &json!("catch fpe")), "{}", outcome.text);
    // The program has seen its own flags.
    assert_eq!(outcome.ranks("exited", "code", 0), "0-2", "{}", outcome.text);
}

#[test]
fn one_rank_shows_its_operands_and_the_kinds_can_be_named() {
    let program = fortran();
    let program = program.to_str().unwrap();
    let script = "catch fpe zero underflow\ncatch fpe overflow if 0\nbreakpoints\ngo\nwait\ngo\nwait exited\n";
    let place = Place::new();
    let outcome = place.run(&["run", "--timeout", "60", "--batch", "-", "-n", "1", program], script);
    let has = |text: &str| assert!(outcome.text.contains(text), "{text:?} is not in {}", outcome.text);
    has("catchpoint 1: fpe zero underflow");
    has("catchpoint 2: fpe overflow, if 0");
    has("stopped: catchpoint 1 (division by zero: divsd ");
    has("xmm0 = 4, ");
    has(&format!("), quotient at quotients.f90:{}", line("quotients.f90", "quotient")));
    has("exited with code 0");
}

#[test]
fn what_cannot_be_caught_is_refused() {
    let program = fortran();
    let program = program.to_str().unwrap();
    let outcome = json(&["-n", "1", "--keep-going"], &[program], "catch fpe nan\nkill\n");
    assert!(outcome.text.contains("expected invalid, zero, overflow, underflow or inexact, not"), "{}", outcome.text);
    let outcome = json(&["-n", "1", "--keep-going", "--engine", "gdb"], &[program], "catch fpe\nkill\n");
    assert!(outcome.text.contains("the gdb engine cannot catch floating-point exceptions"), "{}", outcome.text);
}

#[test]
fn catchpoints_for_exceptions_are_saved_and_outlive_a_restart() {
    let program = fortran();
    let program = program.to_str().unwrap();
    let directory = tempfile::tempdir().unwrap();
    let saved = directory.path().join("points").display().to_string();
    let script =
        format!("catch fpe zero\nsave {saved}\ngo\nwait stopped\nrestart\nwait stopped\ngo\nwait stopped\nkill\n");
    let outcome = json(&["-n", "1"], &[program], &script);
    let stops = |outcome: &crate::support::batch::Outcome| {
        let stops = outcome.of("stopped").into_iter().filter(|stop| stop["exceptions"] == json!(["zero"]));
        stops.map(|stop| stop["line"].clone()).collect::<Vec<_>>()
    };
    let here = json!(line("quotients.f90", "quotient"));
    assert_eq!(stops(&outcome), [here.clone(), here.clone()], "{}", outcome.text);
    let outcome = json(&["-n", "1"], &[program], &format!("source {saved}\ngo\nwait stopped\nkill\n"));
    assert_eq!(stops(&outcome), [here], "{}", outcome.text);
}

#[test]
fn numbers_that_a_program_flushes_to_zero_stay_so() {
    let program = build("gcc", "fast_maths.c", &["-g", "-O0", "-ffast-math"]);
    let outcome = json(&["-n", "2"], &[program.to_str().unwrap()], "catch fpe\ngo\nwait stopped\ngo\nwait exited\n");
    assert_eq!(outcome.ranks("stopped", "line", line("fast_maths.c", "divide")), "0-1", "{}", outcome.text);
    assert_eq!(outcome.ranks("exited", "code", 0), "0-1", "{}", outcome.text);
}
