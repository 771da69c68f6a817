//! `rankscope core`: core files are ranks, with the answers that gdb gives about them.

use super::core_files::{functions, gdb};
use crate::support::batch::{Outcome, Place, json};
use crate::support::build::{build, plain};
use crate::support::marks::line;
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

const VALUES: [&str; 9] =
    ["y", "x", "rank", "cells", "sparse[0]", "sparse[134217727]", "untouched[500]", "*(long *)$sp", "own"];
const REGISTERS: [&str; 8] = ["rip", "rsp", "rbp", "rax", "eflags", "fs_base", "xmm0", "mxcsr"];

/// Opens core files with a script.
#[track_caller]
fn look(program: &Path, cores: &[&Path], script: &str) -> Outcome {
    let mut arguments = vec!["core", "--json", "--timeout", "80", "--keep-going", "--batch", "-"];
    arguments.push(program.to_str().unwrap());
    arguments.extend(cores.iter().map(|core| core.to_str().unwrap()));
    Place::new().run(&arguments, script)
}

/// Writes the core files of two ranks of a program that has stopped in `leaf`.
fn stopped_in_leaf(program: &Path, directory: &Path) {
    let way = format!("break core_files.c:{}\ngo\nwait\n", line("core_files.c", "leaf"));
    let lines = format!("{way}gcore {}\n", directory.display());
    json(&["-n", "2"], &[program.to_str().unwrap()], &lines).expect(0);
}

/// Has gdb run a program until it stops, and write its core file.
fn core_of_gdb(program: &Path, arguments: &[&str], stop: Option<&str>, core: &Path) {
    let mut gdb = Command::new("gdb");
    gdb.args(["-nx", "-q", "-batch", "-ex", "set debuginfod enabled off"]);
    if let Some(stop) = stop {
        gdb.args(["-ex", &format!("break {stop}")]);
    }
    gdb.args(["-ex", "run", "-ex", &format!("gcore {}", core.display()), "--args"]).arg(program).args(arguments);
    let output = gdb.env("RANKSCOPE_RANK", "1").env_remove("RANKSCOPE_SIZE").stdin(Stdio::null()).output().unwrap();
    assert!(core.is_file(), "{}\n{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
}

/// Has the kernel write the core file of a program that fails; `None` if the kernel sends core files elsewhere.
fn core_of_kernel(program: &Path, how: &str, directory: &Path, rank: u32) -> Option<PathBuf> {
    let pattern = fs::read_to_string("/proc/sys/kernel/core_pattern").unwrap();
    if pattern.contains(['|', '/', '%']) {
        eprintln!("core files of the kernel are not tested: core_pattern is {pattern}");
        return None;
    }
    let command = format!("ulimit -c unlimited; exec {} {how}", program.display());
    let status = Command::new("sh")
        .args(["-c", &command])
        .current_dir(directory)
        .env("RANKSCOPE_RANK", rank.to_string())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .unwrap();
    assert!(!status.success());
    let written = fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path());
    let is_new = |path: &PathBuf| path.file_name().unwrap().to_str().unwrap().starts_with(pattern.trim());
    let written = written.into_iter().find(is_new).expect("a core file");
    let core = directory.join(format!("rank{rank}.of-kernel"));
    fs::rename(written, &core).unwrap();
    Some(core)
}

/// What we say of a core file: values and registers, and the functions of the stacks of all threads.
fn our_answers(program: &Path, core: &Path, values: &[&str], threads: usize) -> (Vec<String>, Vec<Vec<String>>) {
    let mut script: String = values.iter().map(|value| format!("print {value}\n")).collect();
    script += &REGISTERS.iter().map(|name| format!("print ${name}\n")).collect::<String>();
    let rank = look(program, &[core], "where\n").of("stopped")[0]["ranks"].as_str().unwrap().to_owned();
    script += &(1..=threads).map(|thread| format!("[{rank}.{thread}] where -all\n")).collect::<String>();
    let outcome = look(program, &[core], &script).expect(0);
    let values = outcome.of("value").iter().map(|value| value["value"].as_str().unwrap().to_owned()).collect();
    let names = |stack: &Value| -> Vec<String> {
        let frames = stack["frames"].as_array().unwrap();
        frames.iter().map(|frame| frame["function"].as_str().unwrap_or("??").to_owned()).collect()
    };
    (values, outcome.of("stack").iter().map(names).collect())
}

#[track_caller]
fn compare(program: &Path, core: &Path, values: &[&str], threads: usize) {
    let mut questions: Vec<String> = values.iter().map(|value| format!("print {value}")).collect();
    questions.extend(REGISTERS.iter().map(|name| format!("print ${name}")));
    questions.extend((1..=threads).map(|thread| format!("thread apply {thread} bt")));
    let theirs = gdb(program, core, &questions);
    let asked = values.len() + REGISTERS.len();
    let value = |text: &String| text.split_once(" = ").map_or(text.as_str(), |(_, value)| value).to_owned();
    let their_values: Vec<String> = theirs[..asked].iter().map(value).collect();
    let their_stacks: Vec<Vec<String>> = theirs[asked..].iter().map(|stack| functions(stack)).collect();
    let (our_values, our_stacks) = our_answers(program, core, values, threads);
    assert_eq!(our_values, their_values, "{}", core.display());
    assert_eq!(our_stacks, their_stacks, "{}", core.display());
}

#[test]
fn core_files_have_the_stacks_values_and_registers_that_gdb_finds_in_them() {
    let program = plain("core_files.c");
    let directory = tempfile::tempdir().unwrap();
    stopped_in_leaf(&program, directory.path());
    let of_gdb = directory.path().join("of-gdb");
    core_of_gdb(&program, &[], Some(&format!("core_files.c:{}", line("core_files.c", "leaf"))), &of_gdb);
    for core in [directory.path().join("core.0"), directory.path().join("core.1"), of_gdb] {
        compare(&program, &core, &VALUES, 4);
    }
}

#[test]
fn a_directory_of_core_files_is_a_job() {
    let program = plain("core_files.c");
    let directory = tempfile::tempdir().unwrap();
    stopped_in_leaf(&program, directory.path());
    // The environments name the ranks, not the files.
    fs::rename(directory.path().join("core.0"), directory.path().join("z")).unwrap();
    fs::rename(directory.path().join("core.1"), directory.path().join("a")).unwrap();
    fs::write(directory.path().join("notes.txt"), "of the user").unwrap();
    let outcome = look(&program, &[directory.path()], "where\nprint cells[0].id\nlibraries\nthreads\nstatus\n").expect(0);
    assert_eq!(outcome.ranks("stack", "type", "stack"), "0-1", "{}", outcome.text);
    assert_eq!(outcome.of("stack").len(), 1, "equal stacks are merged");
    for rank in ["0", "1"] {
        assert_eq!(outcome.ranks("value", "value", rank), rank, "{}", outcome.text);
    }
    let stop = &outcome.of("stopped")[0];
    assert_eq!((stop["ranks"].as_str(), stop["signal"].as_str()), (Some("0-1"), Some("SIGTRAP")), "{stop}");
}

#[test]
fn what_needs_a_process_is_refused_in_words() {
    let program = plain("core_files.c");
    let directory = tempfile::tempdir().unwrap();
    stopped_in_leaf(&program, directory.path());
    let script = "go\nnext\nset y = 2\nprint y = 2\nprint leaf(1, 2)\nset $rax = 1\nwatch y\nbreak main\nuntil\njump 3\n\
        return\nsignal 0\nkill\ndetach\nhandle SIGUSR1 nostop\nengine use gdb\nhalt\nprint y\n";
    let outcome = look(&program, &[directory.path()], script);
    let errors: Vec<String> =
        outcome.of("error").iter().map(|error| error["message"].as_str().unwrap().to_owned()).collect();
    let wanted = [
        "cannot run", "cannot run", "cannot be changed", "cannot be changed", "no function of the program",
        "cannot be changed", "stop at no breakpoint", "stop at no breakpoint", "cannot run", "cannot run", "cannot run",
        "receive no signals", "no process to kill", "no process to kill", "receive no signals", "cannot be handed over",
    ];
    assert_eq!(errors.len(), wanted.len(), "{errors:#?}");
    for (error, words) in errors.iter().zip(wanted) {
        assert!(error.contains("core files") && error.contains(words), "{error}: {words}");
    }
    assert_eq!(outcome.of("value").len(), 2, "and what only looks still works: {}", outcome.text);
}

#[test]
fn the_reason_of_a_core_file_is_its_signal_with_its_cause() {
    let program = build("gcc", "failing.c", &["-g", "-O0", "-fstack-protector-all", "-w", "-pthread", "-lm"]);
    for how in ["assert", "null-element", "recursion"] {
        let live = json(&["-n", "2"], &[program.to_str().unwrap(), how], "go\nwait stopped\n");
        let live = live.of("stopped").into_iter().find(|stop| stop["reason"] == "signal").unwrap();
        let directory = tempfile::tempdir().unwrap();
        let mut cores: Vec<PathBuf> = core_of_kernel(&program, how, directory.path(), 1).into_iter().collect();
        // gdb makes a full stack longer when it reads it.
        if how != "recursion" {
            cores.push(directory.path().join("of-gdb"));
            core_of_gdb(&program, &[how], None, &cores[cores.len() - 1]);
        }
        for core in cores {
            let outcome = look(&program, &[&core], "where 3\n").expect(0);
            let stop = outcome.of("stopped").into_iter().find(|stop| stop["reason"] == "signal").unwrap();
            assert_eq!(stop["signal"], live["signal"], "{how}: {stop}");
            assert_eq!(stop["cause"], live["cause"], "{how}, {}: {stop}", core.display());
            assert_ne!(stop["cause"], json!(null));
            // Rank 0 has no core file.
            assert_eq!(stop["ranks"], "1");
            compare_crash(&program, &core);
        }
    }
}

/// Compares the innermost frames of a crash.
#[track_caller]
fn compare_crash(program: &Path, core: &Path) {
    let theirs = functions(&gdb(program, core, &["bt 6".to_owned()])[0]);
    let outcome = look(program, &[core], "where -all 6\n").expect(0);
    let stack = outcome.of("stack");
    let frames = stack[0]["frames"].as_array().unwrap();
    let ours: Vec<String> = frames.iter().map(|frame| frame["function"].as_str().unwrap_or("??").to_owned()).collect();
    let common = ours.len().min(theirs.len());
    assert!(common >= 2, "{ours:?}, {theirs:?}");
    assert_eq!(ours[..common], theirs[..common]);
}
