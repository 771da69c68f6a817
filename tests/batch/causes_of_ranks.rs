//! Every kind of cause stands in text and JSON, for all ranks that failed alike and for one of several.

use crate::support::batch::{Outcome, Place};
use crate::support::failures::{EVERY_RANK, FAILURES, Failure};
use serde_json::json;
use std::process::Command;

/// Runs two ranks of a program, of which the second or all fail, and asks for their states.
fn run(failure: &Failure, every: bool, options: &[&str]) -> Outcome {
    let program = failure.program();
    let mut command = Command::new(env!("CARGO_BIN_EXE_rankscope"));
    command.args(["run", "--timeout", "80", "--batch", "-"]).args(options);
    command.args(["-n", "2", program.to_str().unwrap(), failure.how]);
    if every {
        command.env(EVERY_RANK, "1");
    }
    Place::new().run_command(&mut command, "go\nwait\nstatus\nkill\n")
}

#[test]
fn a_cause_of_any_kind_is_in_text_for_all_ranks_and_for_one() {
    for failure in &FAILURES {
        for (every, ranks) in [(true, "0-1"), (false, "1")] {
            let text = run(failure, every, &[]).text;
            let words = format!("[{ranks}] stopped: {} ({}", failure.reason, failure.words);
            assert!(text.lines().any(|row| row.starts_with(&words)), "{words}\n{text}");
        }
    }
}

#[test]
fn a_cause_of_any_kind_is_in_json_for_all_ranks_and_for_one() {
    for failure in &FAILURES {
        for (every, ranks) in [(true, "0-1"), (false, "1")] {
            let outcome = run(failure, every, &["--json"]);
            let groups = outcome.of("status").pop().unwrap()["groups"].clone();
            let groups: Vec<_> =
                groups.as_array().unwrap().iter().filter(|group| group["state"] == "stopped").collect();
            let found: Vec<_> = groups.iter().map(|group| (&group["ranks"], &group["cause"]["kind"])).collect();
            assert_eq!(found, [(&json!(ranks), &json!(failure.kind))], "{}: {}", failure.how, outcome.text);
        }
    }
}
