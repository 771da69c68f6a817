//! The settings that survive a restart of the job.

use crate::support::batch::{Place, json};
use crate::support::live::Live;
use crate::support::process::Guard;
use crate::support::wait::wait_on;
use serde_json::Value;
use std::collections::BTreeSet;
use std::process::Command;

#[test]
fn a_restart_keeps_what_happens_on_signals() {
    let program = crate::support::build::plain("contract.c");
    let script = "handle SIGUSR1 nostop\n[1] handle SIGUSR2 noprint nostop\nrestart\nsignals SIGUSR1\ngo\nwait\n";
    let outcome = json(&["-n", "2"], &[program.to_str().unwrap(), "signal"], script).expect(0);
    let stops: Vec<_> = outcome.of("stopped").into_iter().filter(|stop| stop["reason"] == "signal").collect();
    assert_eq!(outcome.ranks("stopped", "signal", "SIGUSR2"), "0", "{stops:?}");
    assert_eq!(outcome.ranks("stopped", "signal", "SIGUSR1"), "", "{stops:?}");
    assert_eq!(outcome.ranks("killed", "signal", "SIGUSR2"), "1");
}

/// A restart sets watchpoints at any moment of the start: also while the first stop is on its way.
#[test]
fn no_watchpoint_is_lost_when_a_busy_host_starts_a_job_again() {
    let program = crate::support::build::plain("counting.c");
    let busy = || Guard::spawn(Command::new("sh").args(["-c", "while :; do :; done"]));
    let _busy = [busy(), busy()];
    let runs = "run\nprint counter\n".repeat(8);
    for (engine, ranks) in [("native", 6), ("gdb", 3)] {
        let script = format!("watch counter\nbreak change\ndisable 2\n{runs}");
        let arguments = ["-n", &ranks.to_string(), "--engine", engine];
        let outcome = json(&arguments, &[program.to_str().unwrap()], &script).expect(0);
        assert_eq!(outcome.of("missing").len(), 0, "{engine}: {}", outcome.text);
        let all = format!("0-{}", ranks - 1);
        let values = outcome.of("value");
        let told: Vec<_> = values.iter().map(|value| (&value["ranks"], &value["value"])).collect();
        assert_eq!(told, vec![(&all.as_str().into(), &"1".into()); 8], "{engine}: {}", outcome.text);
    }
}

/// Copies of a program, and a launcher's ranks: everything set for them is there again, and works.
#[test]
fn a_restart_keeps_breakpoints_groups_and_settings() {
    let copies = crate::support::build::plain("relay.c").display().to_string();
    let ring = crate::support::build::build("mpicc.mpich", "mpi_ring.c", &["-g", "-O0"]).display().to_string();
    for (words, function) in
        [(&["run", "-n", "2", &copies][..], "work"), (&["run", "mpirun.mpich", "-n", "2", &ring], "add_own")]
    {
        let place = Place::new();
        let mut live = Live::start(&place, words);
        live.until_stopped("0-1");
        for line in [
            &format!("[1] break {function}"),
            "break exit if 1 == 2",
            "disable 2",
            "group odd = 1",
            "alias w = where",
            "set patience 33",
        ] {
            assert!(live.run(line).iter().all(|object| object["type"] != "error"), "{line}");
        }
        // Events may come in between. Locations are resolved anew: the state of memory then may shift a library by a
        // page.
        let seen = |live: &mut Live| -> BTreeSet<String> {
            let lines = ["breakpoints", "groups", "alias", "show"];
            let objects = lines.iter().flat_map(|line| live.run(line)).map(|mut object| {
                object.as_object_mut().unwrap().remove("sites");
                object
            });
            let shown = ["breakpoint", "groups", "aliases", "settings"];
            let seen = objects.filter(|object| shown.contains(&object["type"].as_str().unwrap()));
            seen.map(|object| object.to_string()).collect()
        };
        let before = seen(&mut live);
        assert!(before.len() == 5 && before.iter().any(|object| object.contains("patience")), "{before:?}");
        let restarted = live.run("restart");
        assert!(restarted.iter().any(|object| object["type"] == "session"), "{restarted:?}");
        live.run("wait");
        wait_on(&mut live, |live| (seen(live) == before).then_some(()), |_| format!("{before:?} after {words:?}"));
        live.say("go");
        let is_there = |object: &Value| object["type"] == "stopped" && object["breakpoint"] == 1;
        let stops = live.until("the stop at the breakpoint", is_there);
        assert_eq!(stops.last().unwrap()["ranks"], "1");
        live.run("kill");
        live.end();
        place.until_empty();
    }
}

/// Such ranks stop only when they are halted.
#[test]
fn a_job_without_a_first_stop_runs_again_at_once() {
    let program = crate::support::build::plain("contract.c");
    let script = "restart\nstatus\nhalt\nwait\nquit\n";
    let outcome = json(&["-n", "2", "--stop-at", "none"], &[program.to_str().unwrap(), "spin"], script).expect(0);
    assert_eq!((outcome.of("session").len(), outcome.of("missing").len()), (2, 0), "{}", outcome.text);
    assert_eq!(outcome.ranks("stopped", "reason", "interrupted"), "0-1", "{}", outcome.text);
}

#[test]
fn a_job_is_started_again_as_a_whole_or_not_at_all() {
    let program = crate::support::build::plain("contract.c");
    let program = program.to_str().unwrap();
    let outcome = json(&["-n", "2"], &[program, "signal"], "[0] restart\n").expect(1);
    let error = &outcome.of("error")[0];
    assert_eq!((error["ranks"].as_str(), outcome.of("session").len()), (Some("0"), 1), "{}", outcome.text);
    assert!(error["message"].as_str().unwrap().contains("cannot restart single ranks"), "{error}");
    // A focus does not restart some ranks only; a message says that all of them restart.
    let outcome = json(&["-n", "2"], &[program, "signal"], "focus 1\nrestart\n[all] restart\n").expect(0);
    let notes = outcome.of("message");
    let told = notes.iter().filter(|note| note["message"].as_str().is_some_and(|text| text.contains("all ranks")));
    assert_eq!((told.count(), outcome.of("session").len()), (1, 3), "{}", outcome.text);
}

/// As in gdb, what is changed between two runs holds in the next.
#[test]
fn breakpoints_that_are_changed_after_the_end_start_again_as_they_were_changed() {
    let program = crate::support::build::plain("counting.c");
    let script = "break change\ntbreak main\nwatch counter\nbreak printf\ndisable\nrun\n\
                  delete 4\nenable 1\ncondition 1 i == 2\nenable 3\nrun\nprint i\ncontinue\nprint counter\ncontinue\n\
                  print counter\nkill\nwait\ncondition 1\nignore 1 2\ndisable 3\nrun\nprint i\ncontinue\n";
    for engine in ["native", "gdb"] {
        let outcome = json(&["-n", "2", "--engine", engine], &[program.to_str().unwrap()], script).expect(0);
        let stops: Vec<_> = outcome.of("stopped").into_iter().filter(|stop| stop["reason"] != "start").collect();
        let stops: Vec<_> = stops
            .iter()
            .map(|stop| stop.get("breakpoint").or(stop.get("watchpoint")).and_then(Value::as_u64).unwrap())
            .collect();
        let values: Vec<_> = outcome.of("value").iter().map(|value| value["value"].clone()).collect();
        let values: Vec<&str> = values.iter().map(|value| value.as_str().unwrap()).collect();
        assert_eq!(values, ["1", "1", "3", "3"], "{engine}: {}", outcome.text);
        // gdb's own run of this script.
        assert_eq!(stops, [3, 1, 3, 1], "{engine}: {}", outcome.text);
        assert_eq!(outcome.ranks("exited", "code", 0), "0-1", "{engine}: {}", outcome.text);
    }
}
