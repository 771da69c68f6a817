//! `rankscope core`: core files are ranks, with the answers that gdb gives about them.

use super::core_files::{functions, gdb};
use crate::support::batch::{Outcome, Place, json};
use crate::support::build::{build, plain};
use crate::support::marks::line;
use serde_json::{Value, json};
use std::fs;
use std::io::Read;
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

/// Our answers about a core file: values and registers, and the functions of the stacks of all threads.
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
    let outcome =
        look(&program, &[directory.path()], "where\nprint cells[0].id\nlibraries\nthreads\nstatus\n").expect(0);
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
        "cannot run",
        "cannot run",
        "cannot be changed",
        "cannot be changed",
        "no function of the program",
        "cannot be changed",
        "stop at no breakpoint",
        "stop at no breakpoint",
        "cannot run",
        "cannot run",
        "cannot run",
        "receive no signals",
        "no process to kill",
        "no process to kill",
        "receive no signals",
        "cannot be handed over",
    ];
    assert_eq!(errors.len(), wanted.len(), "{errors:#?}");
    for (error, words) in errors.iter().zip(wanted) {
        assert!(error.contains("core files") && error.contains(words), "{error}: {words}");
    }
    assert_eq!(outcome.of("value").len(), 2, "and what only looks still works: {}", outcome.text);
}

#[test]
fn settings_that_concern_processes_are_shown_for_core_files_too() {
    let program = plain("core_files.c");
    let directory = tempfile::tempdir().unwrap();
    stopped_in_leaf(&program, directory.path());
    let outcome = look(&program, &[directory.path()], "info signals SIGINT\ninfo handle 11\ninfo signals\nshow args\n");
    let tables = outcome.of("signals");
    assert_eq!(tables.len(), 3, "{}", outcome.text);
    assert!(tables[0].to_string().contains("SIGINT") && !tables[0].to_string().contains("SIGSEGV"), "{}", tables[0]);
    assert!(tables[2].to_string().contains("SIGUSR1"), "{}", tables[2]);
    let errors = outcome.of("error");
    assert!(errors.len() == 1 && errors[0]["message"].as_str().unwrap().contains("are core files"), "{errors:?}");
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
            assert!(outcome.of("missing").is_empty(), "the focus is all ranks: {}", outcome.text);
            compare_crash(&program, &core);
        }
    }
}

#[test]
fn a_rank_without_a_core_file_says_so_when_it_is_named() {
    let program = plain("core_files.c");
    let directory = tempfile::tempdir().unwrap();
    stopped_in_leaf(&program, directory.path());
    let core = directory.path().join("core.1");
    let outcome = look(&program, &[&core], "where 1\n[0] where 1\n[0-1] where 1\n").expect(1);
    let told: Vec<String> = outcome.of("missing").iter().chain(&outcome.of("error")).map(ToString::to_string).collect();
    assert_eq!(told.len(), 2, "{}", outcome.text);
    assert!(told.iter().all(|told| told.contains("no core file of this rank") && !told.contains("attach")), "{told:?}");
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

/// Writes core files of the ranks of an MPI job: rank 0 has stopped in `add_own`, the others wait for it.
fn mpi_job(compiler: &str, launcher: &[&str]) {
    let program = build(compiler, "mpi_ring.c", &["-g", "-O0"]);
    let directory = tempfile::tempdir().unwrap();
    let mut command: Vec<&str> = launcher.to_vec();
    command.extend(["-n", "3", program.to_str().unwrap()]);
    // Once in the call, a rank may be anywhere in it.
    let lines = format!(
        "break add_own\n[1-2] tbreak MPI_Recv\ngo\nwait\n[1-2] go\nhalt\nwait\ngcore {}\n",
        directory.path().display()
    );
    json(&[], &command, &lines).expect(0);
    // The environments name the ranks, not the files.
    for (rank, name) in [(0, "z"), (1, "y"), (2, "x")] {
        fs::rename(directory.path().join(format!("core.{rank}")), directory.path().join(name)).unwrap();
    }
    let outcome = look(&program, &[directory.path()], "why\nprint rank\nwhere\nthreads\n").expect(0);
    let why = &outcome.of("why")[0];
    assert_eq!((why["verdict"].as_str(), why["guilty"].as_str()), (Some("missing"), Some("0")), "{why}");
    for rank in ["0", "1", "2"] {
        assert_eq!(outcome.ranks("value", "value", rank), rank, "{}", outcome.text);
    }
    let stop = outcome.of("stopped").into_iter().find(|stop| stop["function"] == "add_own").unwrap();
    assert_eq!((stop["ranks"].as_str(), stop["signal"].as_str()), (Some("0"), Some("SIGTRAP")));
    compare(&program, &directory.path().join("z"), &["token", "rank", "sum"], 1);
}

#[test]
fn core_files_of_an_open_mpi_job_have_its_ranks_and_say_why_it_hangs() {
    mpi_job("mpicc.openmpi", &["mpirun.openmpi", "--allow-run-as-root", "--oversubscribe"]);
}

#[test]
fn core_files_of_an_mpich_job_have_its_ranks_and_say_why_it_hangs() {
    mpi_job("mpicc.mpich", &["mpirun.mpich"]);
}

/// Copies the first bytes of a core file.
fn cut(core: &Path, name: &str, length: u64) -> PathBuf {
    let copy = core.with_file_name(name);
    let mut bytes = Vec::new();
    fs::File::open(core).unwrap().take(length).read_to_end(&mut bytes).unwrap();
    fs::write(&copy, bytes).unwrap();
    copy
}

#[test]
fn files_that_are_no_core_files_are_refused_in_words() {
    let program = plain("relay.c");
    let directory = tempfile::tempdir().unwrap();
    let lines = format!("break work\ngo\nwait\ngcore {}\n", directory.path().display());
    json(&["-n", "1"], &[program.to_str().unwrap()], &lines).expect(0);
    let core = directory.path().join("core.0");
    let file = |name: &str, bytes: &[u8]| {
        let path = directory.path().join(name);
        fs::write(&path, bytes).unwrap();
        path
    };
    let mut arm = fs::read(&core).unwrap();
    arm[18] = 183;
    let empty = directory.path().join("empty");
    fs::create_dir(&empty).unwrap();
    let files = [
        (file("text", b"some text"), "it is not an ELF file"),
        (file("nothing", b""), "it is not an ELF file"),
        (file("core.zst", b"\x28\xb5\x2f\xfdrest"), "is compressed (zstd): decompress it first"),
        (file("arm", &arm), "of another architecture"),
        (cut(&core, "short", 40), "cut off in its first header"),
        (cut(&core, "headers", 100), "it has no threads"),
        (program.clone(), "it is a program or a library"),
        (empty, "no core files in the directory"),
    ];
    for (path, words) in &files {
        let outcome = look(&program, &[path], "where\n");
        assert_eq!(outcome.status, 4, "{outcome:?}");
        assert!((outcome.text.clone() + &outcome.errors).contains(words), "{words}: {outcome:?}");
    }
    // Beside a core file, they are left out.
    let outcome = look(&program, &[&core, &files[0].0, &files[3].0], "where\n").expect(0);
    let functions: Vec<_> =
        outcome.of("stack")[0]["frames"].as_array().unwrap().iter().map(|frame| frame["function"].clone()).collect();
    assert_eq!(functions, [json!("work"), json!("main")]);
    let messages = outcome.of("message");
    assert!(
        messages.iter().all(|message| message["message"].as_str().unwrap().ends_with("it is left out")),
        "{messages:?}"
    );
    assert_eq!(messages.len(), 2, "{}", outcome.text);
}

#[test]
fn a_core_file_that_is_cut_off_shows_what_it_has() {
    let program = plain("core_files.c");
    let directory = tempfile::tempdir().unwrap();
    stopped_in_leaf(&program, directory.path());
    let core = cut(&directory.path().join("core.0"), "cut", 200_000);
    let outcome = look(&program, &[&core], "where\nprint cells[1].t\nprint sparse[0]\nregisters rip\n");
    let warnings = outcome.of("message");
    let is_said = |words: &str| warnings.iter().any(|warning| warning["message"].as_str().unwrap().contains(words));
    assert!(
        is_said("it is cut off: it has 200000 of") && is_said("thread-local variables are unknown"),
        "{warnings:?}"
    );
    assert_eq!(outcome.of("stack")[0]["frames"][0]["function"], "leaf", "its registers are there");
    assert_eq!(outcome.ranks("value", "value", "1.5"), "0", "{}", outcome.text);
    assert!(outcome.of("error")[0]["message"].as_str().unwrap().contains("Cannot access memory"), "{}", outcome.text);
}

#[test]
fn a_program_or_a_library_that_is_not_that_of_the_core_files_is_not_used() {
    let directory = tempfile::tempdir().unwrap();
    let place = |name: &str| directory.path().join(name);
    let compiled = build("gcc", "relay.c", &["-g", "-O0", "-Wl,--build-id"]);
    fs::copy(&compiled, place("relay")).unwrap();
    let lines = format!("break work\ngo\nwait\ngcore {}\n", directory.path().display());
    json(&["-n", "1"], &[place("relay").to_str().unwrap()], &lines).expect(0);
    let core = place("core.0");
    let other = build("gcc", "loop.c", &["-g", "-O0", "-w", "-Wl,--build-id", "-lm"]);
    let frames = |outcome: &Outcome| outcome.of("stack")[0]["frames"][0]["function"].clone();
    let said = |outcome: &Outcome| -> String {
        outcome.of("message").iter().map(|message| message["message"].as_str().unwrap().to_owned()).collect()
    };
    let outcome = look(&other, &[&core], "where\n").expect(0);
    let words = said(&outcome);
    assert!(words.contains("are not of") && words.contains("build-id") && words.contains("is used"), "{words}");
    assert_eq!(frames(&outcome), "work", "the right one is still in its place");

    fs::remove_file(place("relay")).unwrap();
    let outcome = look(&other, &[&core], "where\nregisters rip\nx/1xg $sp\n").expect(0);
    let words = said(&outcome);
    assert!(words.contains("are not of") && words.contains("have no names; name that program"), "{words}");
    assert_eq!(frames(&outcome), Value::Null);
    assert_eq!(outcome.of("memory").len(), 1, "{}", outcome.text);

    // The same program at another path is the program.
    let outcome = look(&compiled, &[&core], "where\n").expect(0);
    assert_eq!((frames(&outcome), outcome.of("message").len()), (json!("work"), 0), "{}", outcome.text);
}

#[test]
fn libraries_that_are_gone_or_have_changed_are_named_with_their_build_ids() {
    let directory = tempfile::tempdir().unwrap();
    let place = |name: &str| directory.path().join(name);
    let library = |source: &str| {
        fs::write(place("part.c"), source).unwrap();
        let status = Command::new("gcc")
            .args(["-g", "-O0", "-shared", "-fPIC", "-Wl,--build-id", "-o"])
            .args([place("libpart.so"), place("part.c")])
            .status();
        assert!(status.unwrap().success());
    };
    library("int part(int n)\n{\n    int twice = 2 * n;\n    __builtin_trap();\n    return twice;\n}\n");
    fs::write(place("main.c"), "int part(int n);\nint main(void)\n{\n    return part(21);\n}\n").unwrap();
    let link = format!("-Wl,-rpath,{}", directory.path().display());
    let status = Command::new("gcc")
        .args(["-g", "-O0", "-o"])
        .args([place("main"), place("main.c"), place("libpart.so")])
        .arg(link)
        .status();
    assert!(status.unwrap().success());
    let core = place("core.of-gdb");
    core_of_gdb(&place("main"), &[], None, &core);
    let (program, core) = (place("main"), core);
    let outcome = look(&program, &[&core], "where\nprint twice\n").expect(0);
    assert_eq!(outcome.ranks("value", "value", "42"), "1", "{}", outcome.text);
    assert_eq!(outcome.of("message").len(), 0, "{}", outcome.text);

    fs::remove_file(place("libpart.so")).unwrap();
    library("int other;\nint part(int n)\n{\n    return n + other;\n}\n");
    let words = |outcome: &Outcome| outcome.of("message")[0]["message"].as_str().unwrap().to_owned();
    let outcome = look(&program, &[&core], "where\n").expect(0);
    let changed = words(&outcome);
    assert!(changed.contains("libpart.so has changed since") && changed.contains("build-id"), "{changed}");

    fs::remove_file(place("libpart.so")).unwrap();
    let gone = words(&look(&program, &[&core], "where\n").expect(0));
    assert!(gone.contains("libpart.so: No such file") && gone.contains("(build-id "), "{gone}");
}
