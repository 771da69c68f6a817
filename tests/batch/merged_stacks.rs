//! More different stacks than are shown each: the servers merge them to the tree of their calls.

use crate::support::batch::{Outcome, Place};
use serde_json::{Value, json};
use std::process::Command;

/// Each bit of the rank, from the lowest on, chooses between two functions; then the program stops.
const PATHS: &str = r#"
#include <signal.h>
#include <stdlib.h>

static void left(int bits, int left_over);
static void right(int bits, int left_over);

static void onward(int bits, int left_over)
{
    if (left_over == 0)
        raise(5);
    else if (bits % 2)
        right(bits / 2, left_over - 1);
    else
        left(bits / 2, left_over - 1);
}

static void left(int bits, int left_over)
{
    onward(bits, left_over);
}

static void right(int bits, int left_over)
{
    onward(bits, left_over);
}

int main(void)
{
    onward(atoi(getenv("RANKSCOPE_RANK")), 11);
    return 0;
}
"#;

/// Runs a script on simulated ranks, all of which are stopped in calls of their own.
#[track_caller]
fn run(place: &Place, ranks: u32, options: &[&str], lines: &str) -> Outcome {
    let source = place.path().join("paths.c");
    std::fs::write(&source, PATHS).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_rankscope"));
    command
        .args(["run", "--engine", "fake", "-n", &ranks.to_string(), "--timeout", "50", "--batch", "-"])
        .args(options);
    command.arg(format!("fake:{}", source.display()));
    place.run_command(&mut command, &format!("go\nwait\n{lines}")).expect(0)
}

/// The calls of a tree, callers first: their depth, function and ranks.
fn calls(tree: &Value) -> Vec<(usize, String, String)> {
    fn list(node: &Value, depth: usize, calls: &mut Vec<(usize, String, String)>) {
        let text = |name: &str| node[name].as_str().unwrap_or_default().to_owned();
        calls.push((depth, text("function"), text("ranks")));
        node["children"].as_array().unwrap().iter().for_each(|child| list(child, depth + 1, calls));
    }
    let mut all = Vec::new();
    list(&tree["root"], 0, &mut all);
    all
}

#[test]
fn few_stacks_are_shown_each_and_many_as_a_tree() {
    let place = Place::new();
    let few = run(&place, 200, &["--json"], "where\n");
    assert_eq!((few.of("stack").len(), few.of("tree").len()), (200, 0));
    let many = run(&place, 300, &["--json"], "where\n");
    let [tree] = many.of("tree").try_into().expect("one tree");
    assert_eq!((many.of("stack").len(), &tree["ranks"], &tree["cut"]), (0, &json!("0-299"), &json!(true)));
    let calls = calls(&tree);
    let first: Vec<(&str, &str)> = calls.iter().take(4).map(|(_, function, ranks)| (&**function, &**ranks)).collect();
    assert_eq!(first, [("main", "0-299"), ("onward", "0-299"), ("left", "0-298:2"), ("onward", "0-298:2")]);
    let of_second_bit: Vec<&str> =
        calls.iter().filter(|call| call.0 == 4).map(|(_, _, ranks)| ranks.as_str()).collect();
    assert_eq!(of_second_bit, ["0-296:4", "2-298:4", "1-297:4", "3-299:4"]);
    let all = run(&place, 300, &[], "where\n").text;
    assert!(all.contains("more than 256 different stacks; merged, callers first:"), "{all}");
    assert!(all.contains("The ranks are in more than 1024 different calls"), "{all}");
}

#[test]
fn a_tree_of_servers_merges_as_one_server_does() {
    let place = Place::new();
    let trees = |options: &[&str]| {
        let options = [options, &["--json"]].concat();
        run(&place, 1500, &options, "where\nwhere -merge\n[0-9] where -merge\n").of("tree")
    };
    let alone = trees(&[]);
    assert_eq!((alone.len(), &alone[2]["cut"]), (3, &Value::Null));
    assert!(trees(&["--ranks-per-server", "100", "--fan-out", "3"]) == alone, "the trees differ");
}
