//! Scripts of gdb that run programs: `run` and `continue` wait as there.

use crate::support::batch::{Place, json};
use crate::support::build::plain;
use std::process::Command;

const SCRIPT: &str = "set confirm off\nbreak add\nrun\nprint a + 10\ncontinue\nprint b\ncontinue 2\nprint b\ndelete\n\
                      tbreak main\ncontinue\nprint handled\nrun\nprint result == 6\njump 42\nprint handled\nsignal 0\n";

#[test]
fn the_values_are_those_of_gdb() {
    let program = plain("habits.c");
    let place = tempfile::tempdir().unwrap();
    let file = place.path().join("script");
    std::fs::write(&file, SCRIPT).unwrap();
    let gdb = Command::new("gdb").args(["-nx", "-batch", "-x"]).arg(&file).arg(&program).output().unwrap();
    let text = String::from_utf8_lossy(&gdb.stdout).into_owned();
    let theirs: Vec<&str> =
        text.lines().filter_map(|line| line.strip_prefix('$')?.split_once(" = ")).map(|of| of.1).collect();
    assert_eq!(theirs.len(), 6, "{text}{}", String::from_utf8_lossy(&gdb.stderr));
    for engine in ["native", "gdb"] {
        let outcome = json(&["-n", "2", "--engine", engine], &[program.to_str().unwrap()], SCRIPT).expect(0);
        let ours: Vec<_> = outcome.of("value").iter().map(|of| of["value"].as_str().unwrap().to_owned()).collect();
        assert_eq!(ours, theirs, "{engine}: {}", outcome.text);
        assert_eq!(outcome.of("session").len(), 2, "{engine}: the first run only continues: {}", outcome.text);
        assert_eq!(outcome.of("exited").len(), 1, "{engine}: {}", outcome.text);
    }
}

#[test]
fn a_changed_start_is_a_new_one() {
    let program = crate::support::build::plain("habits.c");
    let script = "set args 1\nrun\n";
    let outcome = json(&["-n", "1"], &[program.to_str().unwrap()], script).expect(0);
    assert_eq!(outcome.of("session").len(), 2, "{}", outcome.text);
}

#[test]
fn a_script_that_leaves_ranks_running_says_so() {
    let program = plain("waits.c").display().to_string();
    let arguments = ["run", "--timeout", "60", "--batch", "-", "-n", "2", &program];
    let outcome =
        Place::new().run(&arguments, "handle SIGUSR1 nostop\nbreak main\n[0] go\nwait\nprint 1\n[1] go\n").expect(0);
    let told = "the script has ended while ranks ";
    assert!(outcome.errors.contains(told) || outcome.text.contains("exited"), "{}{}", outcome.text, outcome.errors);
}

#[test]
fn a_breakpoint_where_the_program_starts_is_hit_by_each_run() {
    let program = plain("habits.c");
    let commands = "break main\ncommands\nsilent\nprintf \"here\\n\"\nwatch handled\ncontinue\nend\n";
    let script = format!("{commands}run\nprint handled\nkill\nrun\nprint handled\nbreakpoints\n");
    for engine in ["native", "gdb"] {
        let outcome = json(&["-n", "2", "--engine", engine], &[program.to_str().unwrap()], &script).expect(0);
        let told = outcome.of("text").iter().filter(|text| text["text"] == "here").count();
        assert!((2..=4).contains(&told), "{engine}: {}", outcome.text);
        let watch = outcome.of("breakpoint").pop().unwrap();
        assert_ne!(watch["armed"][0]["way"], "pending", "{engine}: {}", outcome.text);
        assert!(!outcome.text.contains("ended before its first stop"), "{engine}: {}", outcome.text);
    }
    let script = "tbreak main\nrun\nbreakpoints\nprint 7\nrun\nprint 8\n";
    let outcome = json(&["-n", "2"], &[program.to_str().unwrap()], script).expect(0);
    assert_eq!(outcome.ranks("stopped", "reason", "breakpoint"), "0-1", "{}", outcome.text);
    assert_eq!(outcome.ranks("stopped", "reason", "signal"), "0-1", "the second run goes on: {}", outcome.text);
}

#[test]
fn the_loop_over_arguments_of_gdbs_manual_runs() {
    let program = plain("habits.c");
    let script = "define adder\n  set $i = 0\n  set $sum = 0\n  while $i < $argc\n    eval \"set $sum = $sum + $arg%d\", $i\n\
                  \x20   set $i = $i + 1\n  end\n  print $sum\nend\nadder 10 20 30\n";
    let outcome = json(&["-n", "2"], &[program.to_str().unwrap()], script).expect(0);
    assert_eq!(outcome.ranks("value", "value", "60"), "0-1", "{}", outcome.text);
}

#[test]
fn a_watchpoint_is_set_again_at_the_first_stop_of_a_restarted_program() {
    let program = plain("habits.c");
    let script = "handle SIGUSR1 nostop noprint\nwatch handled\ncontinue\nrestart\nprint handled\ncontinue\nprint 1\n";
    for engine in ["native", "gdb"] {
        let arguments = ["run", "--timeout", "60", "--batch", "-", "-n", "2", "--engine", engine];
        let program = program.display().to_string();
        let outcome = Place::new().run(&[&arguments[..], &[&program]].concat(), script).expect(0);
        let text = &outcome.text;
        assert!(!text.contains("pending") && !text.contains("deleted"), "{engine}: {text}");
        assert_eq!(text.matches("[0-1] watchpoint 1: handled, in hardware\n").count(), 2, "{engine}: {text}");
        assert_eq!(text.matches("[0-1] stopped: watchpoint 1: 0 -> 10").count(), 2, "{engine}: {text}");
    }
}
