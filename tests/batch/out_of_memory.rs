//! The kernel kills a rank for memory. Where no control group can be made, tests/run leaves this out.

use crate::support::batch::{Outcome, Place};
use crate::support::build::build;
use crate::support::control_group::ControlGroup;
use crate::support::failures::EVERY_RANK;
use serde_json::json;
use std::process::Command;

const WORDS: &str = "out of memory: since this rank started, the kernel has killed processes of its control group, \
                     whose limit is 400 MiB";

/// Runs two ranks, of which the second or all need more memory than they may have.
fn run(group: &ControlGroup, every: bool, engine: &str, options: &[&str]) -> Outcome {
    let program = build("gcc", "failing.c", &["-g", "-O0", "-fstack-protector-all", "-w", "-pthread", "-lm"]);
    let mut command = Command::new("/bin/sh");
    command.args(group.enter(env!("CARGO_BIN_EXE_rankscope")));
    command.args(["run", "--timeout", "80", "--batch", "-", "--engine", engine]).args(options);
    command.args(["-n", "2", program.to_str().unwrap(), "memory"]);
    if every {
        command.env(EVERY_RANK, "1");
    }
    Place::new().run_command(&mut command, if every { "go\nwait exited\nstatus\n" } else { "go\nwait 1\nstatus\n" })
}

#[test]
fn ranks_that_the_kernel_kills_for_memory_say_so_under_both_engines() {
    let group = ControlGroup::new();
    for (engine, every, ranks) in [("native", false, "1"), ("native", true, "0-1"), ("gdb", false, "1")] {
        let text = run(&group, every, engine, &[]).text;
        let row = format!("[{ranks}] killed by SIGKILL ({WORDS})");
        assert_eq!(text.lines().last(), Some(&*row), "{engine}: {text}");
        let outcome = run(&group, every, engine, &["--json"]);
        let cause = json!({"kind": "out_of_memory", "text": WORDS});
        let groups = outcome.of("status").pop().unwrap()["groups"].clone();
        let group = groups.as_array().unwrap().iter().find(|group| group["state"] == "killed").unwrap();
        assert_eq!((&group["ranks"], &group["cause"]), (&json!(ranks), &cause), "{engine}: {}", outcome.text);
        assert!(outcome.of("killed").iter().all(|event| event["cause"] == cause), "{engine}: {}", outcome.text);
    }
}
