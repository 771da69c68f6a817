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
