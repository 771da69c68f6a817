//! What is shown of a thread that waits in a library: the user's code, and the function that it called.

use crate::support::batch::Place;
use crate::support::build::build;
use crate::support::live::Live;
use crate::support::marks::{line, source};
use crate::support::process::Guard;
use serde_json::Value;
use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};

/// Looks until all threads have arrived: they announce it before.
const MOST_LOOKS: usize = 100;

/// The call and the line of the user's code of each thread of a program that has announced that it waits.
#[track_caller]
fn waits(command: &mut Command, engine: &str, expected: &[(&str, u32)]) {
    let mut process = Guard::spawn(command.stdin(Stdio::null()).stdout(Stdio::piped()));
    let mut said = String::new();
    BufReader::new(process.0.stdout.take().unwrap()).read_line(&mut said).unwrap();
    assert_eq!(said, "waiting\n");
    let place = Place::new();
    let mut live = Live::start(&place, &["attach", "--engine", engine, &process.0.id().to_string()]);
    live.until_stopped("0");
    let mut seen = Vec::new();
    for _ in 0..MOST_LOOKS {
        let threads = live.run("info threads").into_iter().find(|object| object["type"] == "threads").unwrap();
        seen = threads["threads"].as_array().unwrap().iter().map(called).collect::<Vec<_>>();
        if seen.iter().map(|(call, line)| (call.as_str(), *line)).eq(expected.iter().copied()) {
            live.end();
            return;
        }
        for line in ["go", "wait for 0.02", "halt", "wait"] {
            live.run(line);
        }
    }
    panic!("{seen:#?}");
}

fn called(thread: &Value) -> (String, u32) {
    let user = &thread["user"];
    (user["call"].as_str().unwrap_or("").to_owned(), user["line"].as_u64().unwrap_or(0) as u32)
}

#[test]
fn threads_that_wait_in_the_c_library_show_their_calls_by_the_names_of_the_manual() {
    const PROGRAM: &str = "waiting_threads.c";
    let program = build("gcc", PROGRAM, &["-g", "-O0", "-pthread"]);
    let calls = [
        "pthread_join",
        "pthread_mutex_lock",
        "pthread_cond_wait",
        "pthread_barrier_wait",
        "sem_wait",
        "read",
        "poll",
        "select",
        "sleep",
    ];
    for engine in ["native", "gdb"] {
        waits(&mut Command::new(&program), engine, &calls.map(|call| (call, line(PROGRAM, call))));
    }
}

/// Threads that wait in OpenMP; the library shows some of its functions without names.
#[track_caller]
fn openmp(compiler: &str, calls: [(&str, &str); 3]) {
    const PROGRAM: &str = "waiting_openmp.c";
    let program = build(compiler, PROGRAM, &["-g", "-O0", "-fopenmp"]);
    let sleeps = ("sleep", line(PROGRAM, "sleep"));
    for (part, call) in calls {
        waits(Command::new(&program).arg(part), "native", &[(call, line(PROGRAM, part)), sleeps]);
    }
}

#[test]
fn threads_that_wait_in_openmp_of_gcc_show_the_directive() {
    openmp("gcc", [("barrier", "libgomp.so.1"), ("critical", "libgomp.so.1"), ("end", "libgomp.so.1")]);
}

#[test]
fn threads_that_wait_in_openmp_of_clang_show_the_directive() {
    openmp(
        "clang",
        [("barrier", "__kmpc_barrier"), ("critical", "__kmpc_critical_with_hint"), ("end", "__kmpc_fork_call")],
    );
}

#[test]
fn python_is_a_library_and_what_it_calls_may_be_the_users() {
    let library = build("gcc", "waiting_library.c", &["-g", "-O0", "-shared", "-fPIC"]);
    let mut python = Command::new("/usr/bin/env");
    python.arg("python3").arg(source("waiting.py")).arg(library);
    waits(&mut python, "native", &[("pause", line("waiting_library.c", "pause"))]);
}
