//! Running ranks, looked at several times: where they are and how often, without a stop.

use crate::support::batch::{json, relay};
use crate::support::build;
use serde_json::Value;

/// How often the calls of a function were seen, anywhere in a tree.
fn seen(call: &Value, function: &str) -> u64 {
    let own = if call["function"] == function { call["seen"].as_u64().unwrap() } else { 0 };
    own.max(call["children"].as_array().unwrap().iter().map(|call| seen(call, function)).max().unwrap_or(0))
}

#[test]
fn running_ranks_are_seen_in_all_their_threads_and_run_on() {
    let scratch = tempfile::TempDir::new().unwrap();
    let (program, file) = (build::plain("sampled.c"), scratch.path().join("there"));
    let lines =
        format!("tbreak wait_for\nc\ngo\nsample 0.5 -threads\nstatus\nshell touch {}\nwait exited\n", file.display());
    let outcome = json(&["-n", "2"], &[program.to_str().unwrap(), file.to_str().unwrap()], &lines).expect(0);
    let trees = outcome.of("tree");
    assert!(trees.iter().all(|tree| tree["samples"].as_u64().unwrap() >= 2), "{trees:?}");
    assert!(trees.iter().all(|tree| tree["seconds"].as_f64().unwrap() >= 0.1), "{trees:?}");
    let of_all = |function| trees.iter().map(|tree| seen(&tree["root"], function)).max().unwrap();
    let looks = trees[0]["samples"].as_u64().unwrap();
    assert_eq!(of_all("wait_for"), 2 * looks, "{trees:?}");
    // On a busy host, a thread may still be in its start at the first looks.
    assert!((1..=2 * looks).contains(&of_all("spin")), "{trees:?}");
    assert_eq!(trees[0]["seen"].as_u64(), Some(4 * looks));
    let states: Vec<Value> = outcome.of("status").remove(0)["groups"].as_array().unwrap().clone();
    assert!(!states.is_empty() && states.iter().all(|group| group["state"] == "running"), "{states:?}");
    assert_eq!(outcome.ranks("exited", "code", 0), "0-1");
}

#[test]
fn a_sample_of_stopped_ranks_names_the_command_for_them() {
    for (line, words) in [
        ("sample", "no rank of the set is running: \\\"where -merge\\\" shows their stacks"),
        ("sample 2 s", "expected a number of seconds, -threads or -all"),
        ("sample -1", "expected a number of seconds, -threads or -all"),
    ] {
        let outcome = relay(&format!("{line}\n")).expect(1);
        assert!(outcome.text.contains(words), "{line}: {}", outcome.text);
    }
}
