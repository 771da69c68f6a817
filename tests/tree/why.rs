//! The answer of `why` is the same whatever the shape of the tree.

use crate::support::batch::Place;
use crate::support::live::Live;
use crate::support::marks::{line, source};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
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

/// The server of a place with this index.
fn server(place: &Place, index: &str) -> Pid {
    let is_it = |pid: &i32| {
        let words = std::fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
        let words: Vec<&[u8]> = words.split(|byte| *byte == 0).collect();
        words.windows(2).any(|pair| pair == [&b"--index"[..], index.as_bytes()])
    };
    Pid::from_raw(place.processes().into_iter().find(is_it).unwrap())
}

/// Continues ranks until all are in calls of MPI, and halts them there.
#[track_caller]
fn enter_the_calls(live: &mut Live, ranks: &str) {
    for line in ["set my-code -MPI_*", "break MPI_Recv", "break MPI_Allreduce"] {
        live.run(line);
    }
    for line in ["go", "wait"] {
        live.run(&format!("[{ranks}] {line}"));
    }
    live.run("delete");
    for line in ["go", "halt", "wait"] {
        live.run(&format!("[{ranks}] {line}"));
    }
}

fn answer_in(objects: Vec<Value>) -> Value {
    objects.into_iter().find(|object| object["type"] == "why").unwrap_or_default()
}

/// The answer once all ranks are in calls of MPI.
#[track_caller]
fn answer(shape: &[&str], how: &str) -> Value {
    let place = Place::new();
    let program = format!("fake:{}", source(SOURCE).display());
    let arguments = [&["run", "--engine", "fake", "-n", RANKS], shape, &[&program, how]].concat();
    let mut live = Live::start(&place, &arguments);
    live.until_stopped(ALL);
    enter_the_calls(&mut live, ALL);
    let answer = answer_in(live.run("why"));
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
    is_the_same(
        "ring",
        ALL,
        &format!(
            "ranks {ALL} wait in MPI_Recv ({SOURCE}:{at}), each for the rank before it (rank 0 for rank 23), tag 7."
        ),
    );
}

#[test]
fn the_answer_about_two_ranks_is_that_of_any_tree() {
    let at = line(SOURCE, "all");
    is_the_same("pair", "2,23", &format!("ranks 0-1,3-22 wait in MPI_Allreduce ({SOURCE}:{at}) for ranks 2,23."));
}

#[test]
fn half_of_a_job_that_is_lost_while_why_looks_is_named() {
    let place = Place::new();
    let program = format!("fake:{}", source(SOURCE).display());
    let mut live = Live::start(&place, &["run", "--engine", "fake", "-n", "4", "--ranks-per-server", "2", &program]);
    live.until_stopped("0-3");
    enter_the_calls(&mut live, "0-3");
    let half = server(&place, "1");
    kill(half, Signal::SIGSTOP).unwrap();
    live.run("set patience 2");
    let silent = answer_in(live.run("why"));
    let text = silent["text"].to_string();
    assert!(text.contains("without a reply") || text.contains("lost"), "{silent:#}");
    assert_eq!(silent["guilty"], "2-3", "{silent:#}");
    // It waits for the server until that is killed.
    live.run("set patience 60");
    live.say("why");
    kill(half, Signal::SIGKILL).unwrap();
    let answer = answer_in(live.until("why", |object| object["type"] == "done" && object["command"] == "why"));
    let all = format!("ranks 0-1 wait in MPI_Allreduce ({SOURCE}:{}) for ranks 2-3.", line(SOURCE, "all"));
    assert_eq!((&answer["verdict"], &answer["guilty"]), (&"ended".into(), &"2-3".into()), "{answer:#}");
    assert_eq!(answer["text"][0], all);
    assert!(answer["text"].to_string().contains("is lost: "), "{answer:#}");
    live.run("kill");
    live.end();
}

#[test]
fn a_rank_that_was_stopped_by_the_user_is_in_the_way_and_not_computing() {
    let place = Place::new();
    let program = format!("fake:{}", source(SOURCE).display());
    let mut live = Live::start(&place, &["run", "--engine", "fake", "-n", "4", &program]);
    live.until_stopped("0-3");
    let why = |live: &mut Live| {
        let answer = answer_in(live.run("why"));
        let text = answer["text"].to_string();
        (answer["verdict"].to_string(), answer["guilty"].to_string(), text)
    };
    let (verdict, _, text) = why(&mut live);
    assert!(verdict == "\"none\"" && text.contains("ranks 0-3 are stopped at the start in main"), "{text}");
    enter_the_calls(&mut live, "0-2");
    let is_named = |(verdict, guilty, text): (String, String, String), words: &str| {
        assert_eq!((verdict.as_str(), guilty.as_str()), ("\"missing\"", "\"3\""), "{text}");
        assert!(text.contains(&format!("rank 3 is stopped {words}")), "{text}");
    };
    is_named(why(&mut live), "at the start in main");
    for (line, words) in [("next", "after a step in main"), ("stepi", "after a step in main")] {
        live.run(&format!("[3] {line}"));
        live.run("[3] wait");
        is_named(why(&mut live), words);
    }
    live.run("[3] break MPI_Recv");
    live.run("[3] go");
    live.run("[3] wait");
    is_named(why(&mut live), "at breakpoint ");
    live.run("kill");
    live.end();
}
