//! `colour by`: the numbers of an expression on all ranks, reduced by the servers.

use crate::support::batch::{Outcome, Place, RELAY, json as run, relay as fake};
use serde_json::json;
use std::process::Command;

#[test]
fn colour_by_tells_the_numbers_as_a_whole() {
    let outcome = fake("colour\nnext 4\ncolour by rank * 2\ncolor\n[1-2] colour\ncolour by none\ncolour\n").expect(0);
    let told = outcome.of("colour");
    assert_eq!(told.len(), 3, "{}", outcome.text);
    assert_eq!((&told[0]["ranks"], &told[0]["expression"]), (&json!("0-3"), &json!("rank * 2")));
    assert_eq!(
        (&told[0]["min"][0], &told[0]["max"][0]),
        (&json!({"rank": 0, "value": "0"}), &json!({"rank": 3, "value": "6"}))
    );
    assert_eq!((&told[0]["mean"], &told[1]), (&json!(3), &told[0]));
    assert_eq!((&told[2]["ranks"], &told[2]["max"][0]["value"]), (&json!("1-2"), &json!("4")));
}

#[test]
fn an_expression_without_a_number_leaves_the_colours() {
    let options = ["--engine", "fake", "-n", "4", "--keep-going"];
    let outcome = run(&options, &[RELAY], "next 4\ncolour by rank\ncolour by nosuch\ncolour\n").expect(1);
    let told = outcome.of("colour");
    assert_eq!((told.len(), &told[1]["expression"]), (2, &json!("rank")), "{}", outcome.text);
    assert_eq!(outcome.of("error")[0]["position"], 10, "{}", outcome.text);
    let outcome = fake("colour rank\n").expect(1);
    assert_eq!(outcome.of("error")[0]["message"], "expected by EXPRESSION, or by none");
}

/// Runs a script on simulated ranks of the demo.
fn simulated(options: &[&str], lines: &str) -> Outcome {
    let mut command = Command::new(env!("CARGO_BIN_EXE_rankscope"));
    command.args(["demo", "--simulate", "-n", "1200", "--json", "--timeout", "50", "--batch", "-"]).args(options);
    Place::new().run_command(&mut command, &format!("next 4\n{lines}")).expect(0)
}

#[test]
fn a_tree_of_servers_reduces_as_one_server_does() {
    let lines = "colour by rank % 7 * 0.5\n";
    let alone = simulated(&[], lines).of("colour");
    assert_eq!(
        (alone[0]["count"].clone(), alone[0]["max"][0].clone()),
        (json!(1200), json!({"rank": 6, "value": "3"}))
    );
    assert_eq!(simulated(&["--ranks-per-server", "150", "--fan-out", "2"], lines).of("colour"), alone);
}
