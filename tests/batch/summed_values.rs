//! Values of more ranks than are printed each: the servers sum them up.

use crate::support::batch::{Outcome, Place};
use serde_json::{Value, json};
use std::process::Command;

/// Runs a script on simulated ranks of the demo, each stopped where it knows its rank.
#[track_caller]
fn run(options: &[&str], lines: &str) -> Outcome {
    let mut command = Command::new(env!("CARGO_BIN_EXE_rankscope"));
    command.args(["demo", "--simulate", "-n", "1200", "--json", "--timeout", "50", "--batch", "-"]).args(options);
    Place::new().run_command(&mut command, &format!("next 4\n{lines}")).expect(0)
}

#[track_caller]
fn summary(outcome: &Outcome) -> Value {
    let [summary] = outcome.of("value_summary").try_into().expect("one summary");
    assert!(outcome.of("value").is_empty(), "{}", outcome.text);
    summary
}

#[test]
fn a_thousand_values_are_printed_and_more_are_summed_up() {
    let few = run(&[], "[0-999] print rank\n");
    assert_eq!(few.of("value").len(), 1000);
    let many = summary(&run(&[], "print rank\n"));
    assert_eq!((&many["ranks"], &many["count"], &many["expression"]), (&json!("0-1199"), &json!(1200), &json!("rank")));
    assert_eq!(many["min"][2], json!({"rank": 2, "value": "2"}));
    assert_eq!(many["max"][0], json!({"rank": 1199, "value": "1199"}));
    assert_eq!(many["mean"], json!(599.5));
    let all = run(&[], "set print values unlimited\nprint rank\n");
    assert_eq!(all.of("value").len(), 1200);
    assert_eq!(all.ranks("value", "value", "1199"), "1199");
}

#[test]
fn a_tree_of_servers_sums_up_as_one_server_does() {
    let lines = "set print values 5\nprint/x rank\nprint rank % 5\nprint rank % 6 * 0.5\n";
    let all = |options: &[&str]| {
        let outcome = run(options, lines);
        (outcome.of("value_summary"), outcome.of("value"))
    };
    let (alone, values) = all(&[]);
    assert_eq!((alone.len(), values.len()), (2, 5));
    assert_eq!((&alone[0]["max"][0]["value"], &alone[1]["max"][0]["value"]), (&json!("0x4af"), &json!("2.5")));
    assert_eq!(
        alone[1]["histogram"].as_array().unwrap().iter().map(|part| part["count"].as_u64()).sum::<Option<u64>>(),
        Some(1200)
    );
    assert_eq!(all(&["--ranks-per-server", "150", "--fan-out", "2"]), (alone, values));
}
