//! `skip`: steps pass over functions and files, as gdb's do.

use crate::support::batch::{Outcome, Place, json};
use crate::support::build::build;
use crate::support::gdb::gdb;
use serde_json::json;
use std::path::PathBuf;

/// Enough steps to the end of `main`.
const STEPS: usize = 26;

fn program() -> PathBuf {
    build("g++", "skipped.cpp", &["-g", "-O0"])
}

/// The places where steps end: the function without its parameters, and the line.
fn steps_of_gdb(skips: &[&str]) -> Vec<(String, u64)> {
    let way = [&["break main", "run"], skips].concat();
    let questions: Vec<String> = (0..STEPS).flat_map(|_| ["step".to_owned(), "info frame".to_owned()]).collect();
    let told = gdb(&program(), &[], &way, &questions);
    // " rip = 0x… in main (/path/skipped.cpp:26); saved rip = 0x…"
    let place = |answer: &String| {
        let (_, rest) = answer.split_once(" in ")?;
        let (function, rest) = rest.split_once(" (")?;
        let (place, _) = rest.split_once(");")?;
        let (file, line) = place.rsplit_once(':')?;
        file.contains("skipped").then(|| Some((function.to_owned(), line.parse().ok()?)))?
    };
    told.iter().skip(1).step_by(2).map_while(place).collect()
}

fn steps_of_ours(engine: &str, skips: &[&str], count: usize) -> Vec<(String, u64)> {
    let program = program();
    let script: String =
        skips.iter().map(|line| format!("{line}\n")).chain((0..count).map(|_| "step\n".to_owned())).collect();
    let outcome = json(&["-n", "1", "--engine", engine], &[program.to_str().unwrap()], &script).expect(0);
    let stops = outcome.of("stopped");
    let place = |stop: &serde_json::Value| {
        let function = stop["function"].as_str().unwrap();
        (function.split('(').next().unwrap().to_owned(), stop["line"].as_u64().unwrap())
    };
    stops.iter().filter(|stop| stop["reason"] == "step").map(place).collect()
}

#[track_caller]
fn alike(skips: &[&str], passes_over: &[&str], enters: &[&str]) {
    let expected = steps_of_gdb(skips);
    let is_in = |name: &&str| expected.iter().any(|(function, _)| function == name);
    assert!(!passes_over.iter().any(is_in) && enters.iter().all(is_in), "{skips:?}: {expected:?}");
    for engine in ["native", "gdb"] {
        let told = steps_of_ours(engine, skips, expected.len());
        assert_eq!(told, expected, "{engine} {skips:?}");
    }
}

const ALL: [&str; 7] = ["first", "second", "third", "combine", "tools::Box::get", "tools::Box::set", "tools::twice"];

fn all_but(left_out: &[&'static str]) -> Vec<&'static str> {
    ALL.into_iter().filter(|name| !left_out.contains(name)).collect()
}

#[test]
fn steps_without_skips_enter_all_functions() {
    alike(&[], &[], &ALL);
}

#[test]
fn functions_are_skipped_by_name() {
    alike(&["skip first"], &["first"], &all_but(&["first"]));
    alike(
        &["skip function tools::twice", "skip -fu tools::Box::get"],
        &["tools::twice"],
        &["first", "tools::Box::set"],
    );
}

#[test]
fn inlined_functions_are_skipped_too() {
    alike(&["skip third"], &["third"], &all_but(&["third"]));
}

#[test]
fn files_are_skipped_by_name_and_pattern() {
    let of_file = ["tools::Box::get", "tools::Box::set", "tools::twice"];
    alike(&["skip file skipped.hpp"], &of_file, &all_but(&of_file));
    alike(&["skip -gfi *.hpp"], &of_file, &all_but(&of_file));
    alike(&["skip -gfi *.hpp -fu tools::Box::get"], &["tools::Box::get"], &all_but(&["tools::Box::get"]));
}

#[test]
fn disabled_and_deleted_ones_do_nothing() {
    alike(&["skip first", "skip second", "skip disable 1", "skip delete 2"], &[], &ALL);
    alike(&["skip first", "skip disable", "skip enable 1"], &["first"], &all_but(&["first"]));
}

#[test]
fn without_a_name_the_shown_frame_is_meant() {
    let program = program();
    let script =
        "break second\ngo\nwait\nskip\nskip file\ninfo skip\nskip disable 2\ninfo skip 2\nskip delete\nskips\n";
    let arguments = ["run", "--timeout", "60", "--batch", "-", "-n", "2", program.to_str().unwrap()];
    let outcome = Place::new().run(&arguments, script).expect(0);
    let has = |text: &str| assert!(outcome.text.contains(text), "{text:?} is not in {}", outcome.text);
    has("\nskip 1: function second\n");
    has("skip 2: all functions of file ");
    has("skipped.cpp (disabled)\n");
    has("no functions are skipped");
}

#[test]
fn bad_arguments_and_unknown_numbers_are_errors() {
    let program = program();
    let script = "skip -fu\nskip -x f\nskip -fi a -fi b\nskip delete 7\nkill\n";
    let outcome: Outcome = json(&["-n", "1", "--keep-going"], &[program.to_str().unwrap()], script);
    let errors: Vec<_> = outcome.of("error").iter().map(|error| error["message"].clone()).collect();
    let expected = [
        json!("expected a function"),
        json!("expected -function, -rfunction, -file or -gfile, not \"-x\""),
        json!("expected one file and one function"),
        json!("no skip 7; \"info skip\" lists them"),
    ];
    assert_eq!(errors, expected, "{}", outcome.text);
}

#[test]
fn a_restart_keeps_them() {
    let program = program();
    let script = "skip first\nrestart\nwait\nstep\nstep\nstep\n";
    for engine in ["native", "gdb"] {
        let outcome = json(&["-n", "2", "--engine", engine], &[program.to_str().unwrap()], script).expect(0);
        let functions: Vec<_> = outcome.of("stopped").iter().map(|stop| stop["function"].clone()).collect();
        assert!(functions.iter().any(|function| function == "second"), "{engine}: {functions:?}");
        assert!(!functions.iter().any(|function| function == "first"), "{engine}: {functions:?}");
    }
}

#[test]
fn functions_are_skipped_by_regular_expression() {
    alike(&["skip -rfu ^tools::"], &["tools::Box::get", "tools::Box::set", "tools::twice"], &["first", "second"]);
    alike(&["skip -rfunction ^s(ec|x)ond -gfi skipped.*"], &["second"], &["first", "combine", "tools::twice"]);
}
