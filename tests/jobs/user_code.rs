//! Ranks that wait in MPI are shown by the user's code: where they called which function.

use crate::support::batch::Place;
use crate::support::build::build;
use crate::support::live::Live;
use crate::support::marks::line;
use crate::support::process::Guard;
use rankscope::model::ProcessSet;
use serde_json::Value;
use std::collections::BTreeMap;
use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};

const PROGRAM: &str = "waiting.c";

/// The calls of ranks 0 to 5.
const CALLS: [&str; 6] = ["sleep", "MPI_Recv", "MPI_Wait", "MPI_Ssend", "MPI_Allreduce", "MPI_Win_fence"];

/// Looks until all ranks have arrived: one of them announces it.
const MOST_LOOKS: usize = 100;

/// The call and the line of each rank.
fn called(objects: &[Value]) -> BTreeMap<u32, (String, u32)> {
    let stops = objects.iter().filter(|object| object["type"] == "stopped");
    let of_ranks = |stop: &Value| -> Vec<_> {
        let user = &stop["user"];
        let at = (user["call"].as_str().unwrap_or("").to_owned(), user["line"].as_u64().unwrap_or(0) as u32);
        let ranks = ProcessSet::parse(stop["ranks"].as_str().unwrap()).unwrap();
        ranks.iter().map(|rank| (rank.0, at.clone())).collect()
    };
    stops.flat_map(of_ranks).collect()
}

#[track_caller]
fn ranks_show_their_calls(compiler: &str, launcher: &[&str]) {
    let program = build(compiler, PROGRAM, &["-g", "-O0"]);
    let (word, options) = launcher.split_first().unwrap();
    let mut command = Command::new(word);
    command.args(options).args(["-n", "6"]).arg(program);
    command.envs([("OMPI_ALLOW_RUN_AS_ROOT", "1"), ("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1")]);
    let mut launcher = Guard::spawn(command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null()));
    let mut said = String::new();
    BufReader::new(launcher.0.stdout.take().unwrap()).read_line(&mut said).unwrap();
    assert_eq!(said, "waiting\n");

    let expected: BTreeMap<_, _> = (0..).zip(CALLS.map(|call| (call.to_owned(), line(PROGRAM, call)))).collect();
    let place = Place::new();
    let mut live = Live::start(&place, &["attach", "--starter", &launcher.0.id().to_string()]);
    let mut seen = called(&live.until_stopped("0-5"));
    for _ in 0..MOST_LOOKS {
        if seen == expected {
            break;
        }
        for line in ["go", "wait for 0.05", "halt"] {
            live.run(line);
        }
        seen = called(&live.until_stopped("0-5"));
    }
    assert_eq!(seen, expected);
    // The selected frame is the user's, whatever the library is doing.
    for line in ["[1-5] print sizeof(communicator)", "[1-5] up", "[1-5] print argc"] {
        let said = live.run(line);
        let mut answered = ProcessSet::new();
        for answer in said.iter().filter(|object| object["type"] == "value" || object["frame"]["function"] == "main") {
            answered.extend_with(&ProcessSet::parse(answer["ranks"].as_str().unwrap()).unwrap());
        }
        assert_eq!(answered.to_string(), "1-5", "{line}: {said:?}");
    }
    for (rank, call) in (0..).zip(CALLS) {
        let set = live.run(&format!("[in(wait_in) & {rank}] status"));
        assert!(
            set.iter().any(|object| object["type"] == "status"),
            "in() does not find rank {rank} in {call}: {set:?}"
        );
    }
    live.run("kill");
    live.end();
}

#[test]
fn ranks_that_wait_in_open_mpi_show_their_calls() {
    ranks_show_their_calls("mpicc.openmpi", &["mpirun.openmpi", "--oversubscribe"]);
}

#[test]
fn ranks_that_wait_in_mpich_show_their_calls() {
    ranks_show_their_calls("mpicc.mpich", &["mpirun.mpich"]);
}

/// Steps ranks that were halted in a call of MPI: the step ends in the shown frame, once the missing rank has come.
#[track_caller]
fn a_step_ends_behind_the_call(compiler: &str, launcher: &[&str]) {
    const LATE: &str = "mpi_late.c";
    let program = build(compiler, LATE, &["-g", "-O0"]).display().to_string();
    let place = Place::new();
    let mut arguments = vec!["run"];
    arguments.extend(launcher);
    arguments.extend(["-n", "3", &program]);
    let mut live = Live::start(&place, &arguments);
    live.until_stopped("0-2");
    let waits = ("MPI_Allreduce".to_owned(), line(LATE, "reduces"));
    let mut seen = BTreeMap::new();
    for _ in 0..MOST_LOOKS {
        for line in ["go", "wait for 0.1"] {
            live.run(line);
        }
        seen = called(&live.run("halt"));
        if [0, 1].iter().all(|rank| seen.get(rank) == Some(&waits)) {
            break;
        }
    }
    assert_eq!((seen.get(&0), seen.get(&1)), (Some(&waits), Some(&waits)), "{seen:?}");

    // As long as a rank is missing, the step runs; a halt ends it where the ranks are.
    live.run("set step-patience 1");
    live.run("[0-1] next");
    let halted = live.run("[0-1] halt");
    assert!(halted.iter().all(|object| object["reason"].is_null() || object["reason"] == "interrupted"), "{halted:?}");
    assert_eq!(called(&halted).get(&0), Some(&waits));

    // A step by instructions begins in the library.
    live.run("set step-patience 60");
    let stepped = live.run("[0] stepi");
    let stop = stepped.iter().find(|object| object["type"] == "stopped").unwrap();
    assert!(stop["reason"] == "step" && stop["function"] != "main", "{stepped:?}");
    live.run("[0] frame function main");
    live.run("[2] set var gate = 1");
    live.run("[2] go");
    let stops = live.run("[0-1] next");
    let stops: Vec<_> = stops.iter().filter(|object| object["type"] == "stopped").collect();
    assert!(!stops.is_empty());
    for stop in stops {
        assert_eq!((&stop["reason"], &stop["function"]), (&"step".into(), &"main".into()), "{stop:?}");
        assert_eq!(stop["line"], line(LATE, "summed"), "{stop:?}");
    }
    live.run("kill");
    live.end();
}

#[test]
fn a_step_of_ranks_halted_in_open_mpi_ends_on_the_next_line_once_the_missing_rank_has_come() {
    a_step_ends_behind_the_call("mpicc.openmpi", &["mpirun.openmpi", "--allow-run-as-root", "--oversubscribe"]);
}

#[test]
fn a_step_of_ranks_halted_in_mpich_ends_on_the_next_line_once_the_missing_rank_has_come() {
    a_step_ends_behind_the_call("mpicc.mpich", &["mpirun.mpich"]);
}
