//! Attached processes: those that cannot be attached to, and the fate of all when a server is killed.

use crate::support::batch::Place;
use crate::support::build;
use crate::support::live::Live;
use crate::support::process::{Guard, is_alive, runs};
use crate::support::served::Served;
use crate::support::wait::wait_for;
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use serde_json::Value;
use std::process::{Command, Stdio};

/// A process whose first thread has ended.
fn leaderless() -> Guard {
    let guard = Guard::spawn(Command::new(build::plain("leaderless.c")).stdin(Stdio::null()));
    let status = format!("/proc/{}/status", guard.0.id());
    wait_for("the end of its first thread", || {
        std::fs::read_to_string(&status).unwrap().contains("State:\tZ").then_some(())
    });
    guard
}

#[test]
fn a_process_whose_first_thread_has_ended_is_attached_to() {
    let mut process = leaderless();
    let place = Place::new();
    let mut live = Live::start(&place, &["attach", &process.0.id().to_string()]);
    live.until("the first stop", |object| object["type"] == "stopped" && object["reason"] == "start");
    live.run("break turn");
    live.run("go");
    let stops = live.run("wait");
    assert!(stops.iter().any(|object| object["function"] == "turn"), "{stops:?}");
    let stack = live.run("where");
    let stack = stack.iter().find(|object| object["type"] == "stack").unwrap();
    let names: Vec<_> = stack["frames"].as_array().unwrap().iter().map(|frame| frame["function"].clone()).collect();
    assert_eq!(names[..2], ["turn", "run"]);
    assert!(live.run("print turns > 0").iter().any(|object| object["value"] == "1"));
    live.run("delete 1");
    live.run("go");
    live.run("halt");
    live.run("wait");
    live.run("print over = 1");
    live.run("go");
    let ends = live.run("wait exited");
    assert!(ends.iter().any(|object| object["type"] == "exited" && object["code"] == 7), "{ends:?}");
    assert_eq!(process.wait().code(), Some(7));
    live.end();
    place.until_empty();
}

#[test]
fn it_is_let_go_as_it_was_and_gdb_says_why_it_cannot_have_it() {
    let process = leaderless();
    let pid = process.0.id().to_string();
    let outcome = Place::new().run(&["attach", "--json", "--batch", "-", &pid], "where\n").expect(0);
    assert_eq!(outcome.ranks("stopped", "reason", "start"), "0");
    let outcome = Place::new().run(&["attach", "--json", "--batch", "-", "--engine", "gdb", &pid], "").expect(4);
    assert!(format!("{}{}", outcome.text, outcome.errors).contains("its first thread has ended"), "{}", outcome.text);
    // The states of both threads: the second runs on.
    let states = || {
        let entries = std::fs::read_dir(format!("/proc/{pid}/task")).unwrap().flatten();
        let mut states: Vec<char> = entries
            .map(|entry| std::fs::read_to_string(entry.path().join("stat")).unwrap())
            .map(|stat| stat.rsplit_once(") ").unwrap().1.chars().next().unwrap())
            .collect();
        states.sort_unstable();
        states
    };
    wait_for("its other thread to run", || (states() == ['R', 'Z']).then_some(()));
}

/// Kills the server of a place with SIGKILL.
#[track_caller]
fn kill_server(place: &Place) {
    kill_role(place, "--server");
}

/// Kills the one process with this word in its command line.
#[track_caller]
fn kill_role(place: &Place, role: &str) {
    signal_role(place, role, Signal::SIGKILL);
}

/// Sends a signal to the one process with this word in its command line.
#[track_caller]
fn signal_role(place: &Place, role: &str, signal: Signal) {
    kill(Pid::from_raw(self::role(place, role)), signal).unwrap();
}

#[track_caller]
fn role(place: &Place, role: &str) -> i32 {
    let those = roles(place, role);
    let [process] = those.as_slice() else { panic!("{role}: {those:?}") };
    *process
}

/// The processes with this word in their command lines.
fn roles(place: &Place, role: &str) -> Vec<i32> {
    let has_it = |pid: &i32| {
        let words = std::fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
        words.split(|byte| *byte == 0).any(|word| word == role.as_bytes())
    };
    place.processes().into_iter().filter(has_it).collect()
}

/// Attached, with breakpoints that its threads hit all the time: it runs, is stopped at one, or is being stepped or
/// resumed when its server is killed.
#[test]
fn attached_processes_live_on_when_their_server_is_killed() {
    let hot = &["break work if turn < 0", "go"][..];
    let cycles = ["go", "wait"].repeat(40);
    for (script, rest) in [
        (&["break serve", "go"][..], &[][..]),
        (&["break work", "go", "wait"], &[]),
        (&["break work", "go", "wait", "next"], &[]),
        (hot, &[]),
        (hot, &[]),
        (&["break work", "go", "wait"], &["next"; 40]),
        (&["break work", "go", "wait"], cycles.as_slice()),
    ] {
        let (mut served, place) = (Served::start(), Place::new());
        let mut live = Live::start(&place, &["attach", &served.pid().to_string()]);
        live.until("the first stop", |object| object["type"] == "stopped");
        for line in script {
            live.run(line);
        }
        // Waits for the first reply only.
        rest.iter().for_each(|line| live.say(line));
        if let Some(first) = rest.first() {
            live.until("the first of them", |object| object["type"] == "done" && object["command"] == *first);
        }
        kill_server(&place);
        live.until("the loss", |object| object["type"] == "lost");
        live.run("quit");
        live.end();
        // The process that cleans up has done so before it ends.
        place.until_empty();
        served.works();
        assert_eq!(served.ends(), 2, "{script:?}");
    }
}

/// Attached, at a breakpoint all the time, with either engine.
#[test]
fn a_server_that_is_asked_to_end_lets_attached_processes_go_first() {
    let signals = [(Signal::SIGTERM, "native"), (Signal::SIGHUP, "native"), (Signal::SIGINT, "native")];
    for (signal, engine) in signals.into_iter().chain([(Signal::SIGTERM, "gdb")]) {
        let (mut served, place) = (Served::start(), Place::new());
        let mut live = Live::start(&place, &["attach", "--engine", engine, &served.pid().to_string()]);
        live.until("the first stop", |object| object["type"] == "stopped");
        live.run("break work if turn < 0");
        live.run("go");
        signal_role(&place, "--server", signal);
        let said = live.until("that it is let go", |object| object["type"] == "detached");
        let why = |object: &Value| object["message"].as_str().is_some_and(|text| text.contains(signal.as_str()));
        assert!(said.iter().any(why), "{said:?}");
        live.run("quit");
        live.end();
        place.until_empty();
        served.works();
        assert_eq!(served.ends(), 2, "{signal} {engine}");
    }
}

#[test]
fn a_caretaker_that_is_killed_is_replaced() {
    let (mut served, place) = (Served::start(), Place::new());
    let mut live = Live::start(&place, &["attach", &served.pid().to_string()]);
    live.until("the first stop", |object| object["type"] == "stopped");
    live.run("break serve");
    live.run("go");
    let caretaker = role(&place, "--caretaker");
    kill(Pid::from_raw(caretaker), Signal::SIGKILL).unwrap();
    // The new caretaker is set up when it has the memory of the process open.
    let memory = std::path::PathBuf::from(format!("/proc/{}/mem", served.pid()));
    let is_told = |other: &i32| {
        let files = std::fs::read_dir(format!("/proc/{other}/fd")).into_iter().flatten().flatten();
        files.filter_map(|file| std::fs::read_link(file.path()).ok()).any(|target| target == memory)
    };
    let another = || roles(&place, "--caretaker").into_iter().find(|other| *other != caretaker && is_told(other));
    wait_for("another one", another);
    kill_role(&place, "--tracer");
    live.until("the loss", |object| object["type"] == "lost");
    wait_for("the end of the caretaker", || roles(&place, "--caretaker").is_empty().then_some(()));
    served.works();
    live.run("quit");
    live.end();
    place.until_empty();
    assert_eq!(served.ends(), 2);
}

/// Breakpoints left in memory are recognised by the program's file at the next attach.
#[test]
fn breakpoints_of_a_killed_debugger_are_taken_out() {
    let (mut served, place) = (Served::start(), Place::new());
    let pid = served.pid().to_string();
    let mut live = Live::start(&place, &["attach", &pid]);
    live.until("the first stop", |object| object["type"] == "stopped");
    live.run("break serve");
    live.run("go");
    // While stopped, the tracer cannot replace the killed caretaker.
    signal_role(&place, "--tracer", Signal::SIGSTOP);
    kill_role(&place, "--caretaker");
    kill_role(&place, "--tracer");
    let lost = live.until("the loss", |object| object["type"] == "lost");
    assert!(
        lost.iter().any(|object| object["message"].as_str().is_some_and(|text| text.contains("attach again"))),
        "{lost:?}"
    );
    live.run("quit");
    live.end();
    place.until_empty();
    let mut live = Live::start(&place, &["attach", &pid]);
    let said = live.until("the first stop", |object| object["type"] == "stopped");
    let words: Vec<_> = said.iter().filter_map(|object| object["message"].as_str()).collect();
    assert!(words.iter().any(|text| text.contains("a killed debugger had left")), "{said:?}");
    // At the same location, and without leaving it behind.
    live.run("break serve");
    live.run("go");
    served.ask('t');
    let stops = live.run("wait");
    assert!(stops.iter().any(|object| object["function"] == "serve"), "{stops:?}");
    live.run("quit");
    live.end();
    served.hears('t');
    served.works();
    assert_eq!(served.ends(), 3);
}

#[test]
fn ranks_that_were_started_here_end_with_their_server() {
    let place = Place::new();
    let program = build::plain("leaderless.c").display().to_string();
    let mut live = Live::start(&place, &["run", "-n", "2", &program]);
    let stops = live.until_stopped("0-1");
    assert!(!stops.is_empty());
    let ranks: Vec<i32> = place.processes().into_iter().filter(|pid| runs(*pid, "leaderless")).collect();
    assert_eq!(ranks.len(), 2);
    live.run("go");
    kill_server(&place);
    live.until("the loss", |object| object["type"] == "lost");
    wait_for("the end of the ranks", || (!ranks.iter().any(|pid| is_alive(*pid as u32))).then_some(()));
    live.run("quit");
    live.end();
    place.until_empty();
}
