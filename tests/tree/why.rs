//! The answer of `why` is the same whatever the shape of the tree.

use crate::support::batch::Place;
use crate::support::live::Live;
use crate::support::marks::{line, source};
use serde_json::Value;

const SOURCE: &str = "simulated_waits.c";
const RANKS: &str = "24";
const ALL: &str = "0-23";

/// One server, four of the master's, and one for each rank in a tree of four levels.
const SHAPES: [&[&str]; 3] = [
    &["--ranks-per-server", "24"],
    &["--ranks-per-server", "6", "--fan-out", "4"],
    &["--ranks-per-server", "1", "--fan-out", "2"],
];

/// The answer once all ranks are in calls of MPI.
#[track_caller]
fn answer(shape: &[&str], how: &str) -> Value {
    let place = Place::new();
    let program = format!("fake:{}", source(SOURCE).display());
    let arguments = [&["run", "--engine", "fake", "-n", RANKS], shape, &[&program, how]].concat();
    let mut live = Live::start(&place, &arguments);
    live.until_stopped(ALL);
    let to_the_calls = ["set my-code -MPI_*", "break MPI_Recv", "break MPI_Allreduce", "go", "wait"];
    for line in to_the_calls.iter().chain(&["delete", "go", "halt", "wait"]) {
        live.run(line);
    }
    let answer = live.run("why").into_iter().find(|object| object["type"] == "why").unwrap_or_default();
    live.run("kill");
    live.end();
    answer
}

#[track_caller]
fn is_the_same(how: &str, guilty: &str, text: &str) {
    let answers = SHAPES.map(|shape| answer(shape, how));
    for answer in &answers {
        assert_eq!((&answer["verdict"], &answer["guilty"]), (&"deadlock".into(), &guilty.into()), "{answer:#}");
        assert_eq!(answer["text"][0], text);
        assert_eq!(answer, &answers[0]);
    }
}

#[test]
fn the_answer_about_a_cycle_of_all_ranks_is_that_of_any_tree() {
    let at = line(SOURCE, "ring");
    is_the_same("ring", ALL, &format!("ranks {ALL} wait in MPI_Recv ({SOURCE}:{at}) for ranks {ALL}, tag 7."));
}

#[test]
fn the_answer_about_two_ranks_is_that_of_any_tree() {
    let at = line(SOURCE, "all");
    is_the_same("pair", "2,23", &format!("ranks 0-1,3-22 wait in MPI_Allreduce ({SOURCE}:{at}) for ranks 2,23."));
}
