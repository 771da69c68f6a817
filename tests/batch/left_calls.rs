//! Ranks that stop in a function that the debugger has called: the next command finds them there, as in gdb.

use crate::support::batch::{Outcome, Place};
use crate::support::build::plain;
use std::process::Command;

/// The number of the line with this comment in a program.
fn line_of(comment: &str) -> usize {
    let source = include_str!("../programs/left_calls.c");
    source.lines().position(|line| line.contains(comment)).unwrap() + 1
}

fn run(engine: &str, options: &[&str], script: &str) -> Outcome {
    let program = plain("left_calls.c").display().to_string();
    let arguments = [&["run", "--timeout", "60", "--batch", "-", "-n", "3", "--engine", engine], options, &[&program]];
    Place::new().run(&arguments.concat(), script)
}

/// The lines of an output from the one about the stop in the called function, without ranks.
fn after_the_call(text: &str) -> Vec<&str> {
    let lines = text.lines().map(|line| line.split_once("] ").map_or(line, |(_, rest)| rest));
    lines.skip_while(|line| !line.contains("reakpoint 2, ")).collect()
}

#[test]
fn a_call_that_stops_at_a_breakpoint_is_over_when_the_stop_is_reported() {
    let outside = line_of("/* outside */");
    let script = format!(
        "break {outside}\nrun\nbreak fill\ndisplay last\ncall fill(7)\nprint k + i\nbt\nfinish\nprint last\ncontinue\n"
    );
    let place = tempfile::tempdir().unwrap();
    let file = place.path().join("script");
    std::fs::write(&file, &script).unwrap();
    // On standard input, gdb goes on after an error.
    let gdb = Command::new("gdb")
        .args(["-nx", "-q"])
        .arg(plain("left_calls.c"))
        .stdin(std::fs::File::open(&file).unwrap())
        .output()
        .unwrap();
    let theirs = String::from_utf8_lossy(&gdb.stdout).into_owned();
    assert!(theirs.contains("Value returned is $2 = 15"), "{theirs}");
    for engine in ["native", "gdb"] {
        let outcome = run(engine, &["--keep-going"], &script).expect(1);
        let lines = after_the_call(&outcome.text);
        let at = |text: &str| {
            let found = lines.iter().position(|line| line.starts_with(text));
            found.unwrap_or_else(|| panic!("{engine}: no {text:?} in {}", outcome.text))
        };
        let order = [
            "stopped: breakpoint 2, fill at",
            "error: The program",
            "k + i = ",
            "#0  fill (i=7)",
            "#1  <function called from ",
            "#2  main () at left_calls.c",
            "stopped: finished, main at",
            "Value returned is $2 = 15",
            "1: last = 14",
            "last = 14",
            "stopped: breakpoint 1, main at",
        ];
        let places: Vec<usize> = order.map(at).to_vec();
        assert!(places.is_sorted(), "{engine}: {places:?} {}", outcome.text);
        let mark = lines[at("#1  <function called from ")];
        assert!(mark.ends_with('>'), "{engine}: the mark is in no file: {mark}");
        assert!(!outcome.text.contains("thread is running"), "{engine}: {}", outcome.text);
    }
}

#[test]
fn commands_of_a_breakpoint_in_a_called_function_run_before_the_next_line() {
    let script = format!(
        "break {}\nrun\nbreak fill\ncommands\nprint i * 100\nend\n[1-2] call fill(n + 7)\nprint 4321\nquit\n",
        line_of("/* outside */")
    );
    for engine in ["native", "gdb"] {
        let outcome = run(engine, &["--keep-going"], &script).expect(1);
        let lines = after_the_call(&outcome.text);
        let own = lines.iter().position(|line| line.contains("i * 100 = 700"));
        let next = lines.iter().position(|line| line.contains("4321 = 4321"));
        assert!(own.is_some() && own < next, "{engine}: {}", outcome.text);
    }
}

#[test]
fn a_call_that_stops_where_its_rank_is_at_already_is_over_too() {
    for engine in ["native", "gdb"] {
        let script = "break fill\ngo\nwait\nup\nprint fill(7)\nwhere\nkill\n";
        let outcome = run(engine, &["--keep-going"], script).expect(1);
        assert!(outcome.text.contains("#1  <function called from "), "{engine}: {}", outcome.text);
    }
}
