//! Hit counts, ignore counts and temporary breakpoints, as gdb counts.

use crate::support::batch::{Outcome, json as script};
use crate::support::{build, gdb::gdb, marks};
use serde_json::{Value, json};

/// Runs a script on two ranks of an engine.
#[track_caller]
fn run(engine: &str, lines: &str) -> Outcome {
    let source = format!("fake:{}", marks::source("counted.c").display());
    let program = if engine == "fake" { source } else { build::plain("counted.c").display().to_string() };
    script(&["-n", "2", "--engine", engine], &[&program], lines).expect(0)
}

/// Each breakpoint in the last listing: number, ranks, hits and remaining ignore count.
fn listed(outcome: &Outcome) -> Vec<Value> {
    let objects = outcome.objects();
    let from = objects.iter().rposition(|object| object["command"] == "status").unwrap();
    let points = objects[from..].iter().filter(|object| object["type"] == "breakpoint");
    points
        .map(|point| {
            let hits = point["hits_by_rank"].as_array().map(|parts| parts.iter().map(|part| part["number"].clone()));
            json!([point["id"], point["ranks"], hits.map(Iterator::collect::<Vec<_>>), point["after"]])
        })
        .collect()
}

/// `break` ignores two arrivals; a temporary breakpoint at the same location stops at the first.
fn counts(engine: &str) {
    let begin = "break call after 2\ntbreak call\ntbreak call\nbreak call if round == 20\ngo\nwait\n";
    let first = run(engine, &format!("{begin}status\nbreakpoints\n"));
    assert_eq!(listed(&first), [json!([1, "0-1", [1], 1]), json!([4, "0-1", null, null])], "{}", first.text);
    let second = run(engine, &format!("{begin}go\nwait\nprint round\nstatus\nbreakpoints\n"));
    assert_eq!(listed(&second), [json!([1, "0-1", [3], null]), json!([4, "0-1", null, null])], "{}", second.text);
    assert_eq!(second.ranks("value", "value", "2"), "0-1");
    // Rank 0 continues alone once.
    let third =
        run(engine, &format!("{begin}go\nwait\n[0] go\n[0] wait\nafter 1 100\ngo\nwait exited\nstatus\nbreakpoints\n"));
    assert_eq!(listed(&third)[0], json!([1, "0-1", [10], 94]), "{}", third.text);
    let parts = third.of("breakpoint").into_iter().rfind(|point| point["id"] == 1).unwrap();
    assert_eq!(parts["hits"], 20);
    assert_eq!(parts["after_by_rank"], json!([{"ranks": "0", "number": 94}, {"ranks": "1", "number": 93}]));
}

#[test]
fn simulated_ranks_are_counted() {
    counts("fake");
}

#[test]
fn real_ranks_are_counted() {
    counts("native");
}

#[test]
fn ranks_under_gdb_are_counted() {
    counts("gdb");
}

#[test]
fn gdb_counts_the_same() {
    let way = ["break call", "tbreak call", "tbreak call", "break call if round == 20", "ignore 1 2", "run"];
    let said = |way: &[&str]| gdb(&build::plain("counted.c"), &[], way, &["info breakpoints".to_owned()]).remove(0);
    let first = said(&way);
    assert!(first.contains("already hit 1 time") && first.contains("ignore next 1 hits"), "{first}");
    assert_eq!(first.matches("breakpoint     keep").count(), 2, "the temporary ones are gone: {first}");
    let second = said(&[&way[..], &["continue"]].concat());
    assert!(second.contains("already hit 3 times") && !second.contains("ignore next"), "{second}");
    let alone = said(&[&way[..], &["continue", "continue", "ignore 1 100", "continue"]].concat());
    assert!(alone.contains("already hit 10 times") && alone.contains("ignore next 94 hits"), "{alone}");
    let other = said(&[&way[..], &["continue", "ignore 1 100", "continue"]].concat());
    assert!(other.contains("already hit 10 times") && other.contains("ignore next 93 hits"), "{other}");
}

#[test]
fn what_is_left_to_pass_over_is_all_that_a_restart_passes_over() {
    let lines = "break call after 5\ntbreak call if round == 2\ngo\nwait\nrestart\ngo\nwait\nprint round\nstatus\nbreakpoints\n";
    let outcome = run("native", lines);
    assert_eq!(outcome.ranks("value", "value", "2"), "0-1", "three of five were passed over before: {}", outcome.text);
    assert_eq!(listed(&outcome), [json!([1, "0-1", [3], null])]);
}
