//! `why` where the current thread of ranks is not the one that calls MPI.

use crate::support::batch::Place;
use crate::support::build;
use crate::support::live::Live;
use serde_json::Value;

/// Looks until an answer is as wanted: a rank may be late on a busy host.
const MOST_LOOKS: usize = 60;

fn why(live: &mut Live) -> Value {
    live.run("why").into_iter().find(|object| object["type"] == "why").unwrap_or_default()
}

/// The functions of the stacks, innermost first.
fn functions(live: &mut Live) -> Vec<String> {
    let stacks = live.run("[0] where");
    let frames = stacks.iter().filter_map(|object| object["frames"].as_array()).flatten();
    frames.filter_map(|frame| frame["function"].as_str()).map(str::to_owned).collect()
}

#[track_caller]
fn finds_the_thread_that_waits(engine: &str) {
    let program = build::build("mpicc.mpich", "mpi_helped.c", &["-g", "-O0", "-pthread"]);
    let place = Place::new();
    let arguments = ["run", "--engine", engine, "mpirun.mpich", "-n", "2", program.to_str().unwrap()];
    let mut live = Live::start(&place, &arguments);
    live.until_stopped("0-1");
    let mut stopped = Vec::new();
    live.run("go");
    for _ in 0..2 {
        stopped.extend(live.run("wait").into_iter().filter(|object| object["reason"] == "signal"));
    }
    assert!(stopped.iter().all(|stop| stop["thread"] != 1), "{stopped:#?}");
    let last = why(&mut live);
    assert!(last["text"].to_string().contains("stopped by SIGUSR1"), "{last:#}");

    let is_found = |answer: &Value| answer["verdict"] == "deadlock" && answer["guilty"] == "0-1";
    let mut last = Value::Null;
    let mut looks = 0;
    while looks < MOST_LOOKS && !(is_found(&last) && last["samples"] == 2) {
        for line in ["go", "wait for 0.1", "halt", "wait"] {
            live.run(line);
        }
        last = why(&mut live);
        looks += 1;
    }
    assert!(is_found(&last), "after an interrupt: {last:#}");
    let names = functions(&mut live);
    assert!(names.iter().any(|name| name.contains("MPI_Recv")) && names.iter().any(|name| name == "main"), "{names:?}");

    // A step leaves the thread current that stepped.
    for line in ["break beat", "go", "wait", "delete", "next", "wait"] {
        live.run(line);
    }
    let names = functions(&mut live);
    assert_eq!(names.first().map(String::as_str), Some("beat"), "{names:?}");
    let last = why(&mut live);
    assert!(is_found(&last), "after a step in another thread: {last:#}");
    live.run("kill");
    live.end();
}

#[test]
fn the_thread_that_waits_in_mpi_is_found() {
    finds_the_thread_that_waits("native");
}

#[test]
fn the_thread_that_waits_in_mpi_is_found_under_gdb() {
    finds_the_thread_that_waits("gdb");
}
