//! Commands that fail change nothing: the selected frames and the numbers of breakpoints stay, as in gdb.

use crate::support::batch::{Outcome, Place};
use crate::support::build;
use crate::support::gdb::gdb;
use std::path::Path;

const ENGINES: [&str; 2] = ["native", "gdb"];

fn run(engine: &str, program: &Path, script: &str) -> Outcome {
    let program = program.to_str().unwrap();
    let options = ["run", "--timeout", "60", "--keep-going", "--engine", engine, "--batch", "-", "-n", "2", program];
    Place::new().run(&options, script).expect(1)
}

/// The functions of the frames that are shown after the marks, without their lines.
fn frames(text: &str) -> Vec<&str> {
    let shown = text.lines().filter_map(|line| line.split_once("] #")?.1.split_once(" ("));
    shown.map(|(frame, _)| frame).collect()
}

#[test]
fn a_refused_command_keeps_the_frame_of_a_core_file() {
    let program = build::plain("habits.c");
    let directory = tempfile::tempdir().unwrap();
    let way = format!("break add\ngo\nwait\ngcore {}\n", directory.path().display());
    let arguments = ["run", "--timeout", "60", "--batch", "-", "-n", "2", program.to_str().unwrap()];
    Place::new().run(&arguments, &way).expect(0);
    let refused = ["continue", "next", "finish", "until", "set n = 3", "print nosuch", "frame 9", "watch n", "frob"];
    let script: String = refused.iter().map(|line| format!("{line}\nframe\n")).collect();
    let arguments = ["core", "--timeout", "60", "--keep-going", "--batch", "-"];
    let arguments = [&arguments[..], &[program.to_str().unwrap(), directory.path().to_str().unwrap()]].concat();
    let outcome = Place::new().run(&arguments, &format!("up\n{script}")).expect(1);
    assert_eq!(frames(&outcome.text), ["1  work"; 10], "{}", outcome.text);
}

#[test]
fn a_refused_run_keeps_the_frame_of_a_stopped_rank() {
    let program = build::plain("habits.c");
    let refused = ["jump nosuch", "advance nosuch", "until nosuch", "return nosuch", "call nosuch()"];
    let script: String = refused.iter().map(|line| format!("{line}\nframe\n")).collect();
    for engine in ENGINES {
        let outcome = run(engine, &program, &format!("break add\ngo\nwait\nup\n{script}print n\n"));
        assert_eq!(frames(&outcome.text), ["1  work"; 6], "{engine}: {}", outcome.text);
        assert!(outcome.text.contains("n = 4"), "{engine}: {}", outcome.text);
    }
}

#[test]
fn a_breakpoint_that_fails_leaves_its_number_to_the_next() {
    let program = build::plain("habits.c");
    let refused = ["watch nosuch", "watch 1+", "rwatch nosuch", "catch nosuch", "catch syscall nosuch"];
    let script = format!("break add\n{}\nbreak work\nhbreak main\n", refused.join("\n"));
    let theirs = {
        let answers = gdb(&program, &[], &["start"], &script.lines().map(str::to_owned).collect::<Vec<_>>());
        let words = answers.iter().filter_map(|answer| answer.split_once("reakpoint ")?.1.split_once(' '));
        // The first one is that of `start`.
        let number = |(number, _): (&str, &str)| (number.parse::<u32>().unwrap() - 1).to_string();
        words.map(number).collect::<Vec<_>>()
    };
    assert_eq!(theirs, ["1", "2", "3"]);
    for engine in ENGINES {
        let outcome = run(engine, &program, &script);
        let words = outcome.text.lines().filter_map(|line| line.split_once("reakpoint ")?.1.split_once(": "));
        let ours: Vec<&str> = words.map(|(number, _)| number).collect();
        assert_eq!(ours, theirs, "{engine}: {}", outcome.text);
    }
}

#[test]
fn commands_after_a_breakpoint_that_failed_are_those_of_the_one_before() {
    let program = build::plain("habits.c");
    for engine in ENGINES {
        let script = "break add\nwatch nosuch\ncommands\necho here\\n\nend\nprint $bpnum\ngo\nwait\n";
        let outcome = run(engine, &program, script);
        assert!(outcome.text.contains("$bpnum = 1"), "{engine}: {}", outcome.text);
        assert!(outcome.text.contains("here"), "{engine}: {}", outcome.text);
    }
}

#[test]
fn a_stop_at_an_exception_names_the_selected_frame_with_the_number_of_gdb() {
    let program = build::build("g++", "thrown.cpp", &["-g", "-O0"]);
    let script = "catch throw\ngo\nwait\nframe\nup\nframe 1\ndown\nframe 0\nup\n";
    for engine in ENGINES {
        let program = program.to_str().unwrap();
        let options = ["run", "--timeout", "60", "--engine", engine, "--batch", "-", "-n", "2", program];
        let outcome = Place::new().run(&options, script).expect(0);
        let stop = outcome.text.lines().find(|line| line.contains("exception thrown")).unwrap();
        assert!(stop.contains("in __cxa_throw at thrown.cpp:") && stop.ends_with(" (frame 1)"), "{engine}: {stop}");
        let shown = outcome.text.lines().filter_map(|line| line.split_once("] #")?.1.split_whitespace().next());
        assert_eq!(shown.collect::<Vec<_>>(), ["1", "2", "1", "0", "0", "1"], "{engine}: {}", outcome.text);
    }
}
