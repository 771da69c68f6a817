//! `gcore` writes core files that gdb and lldb open, with the stacks and values that the ranks have.

use crate::support::batch::{Outcome, Place};
use crate::support::build::{plain, script};
use crate::support::marks::line;
use std::fs;
use std::os::unix::fs::{FileExt, MetadataExt, PermissionsExt};
use std::path::Path;
use std::process::{Command, Stdio};

const VALUES: [&str; 8] =
    ["y", "cells", "sparse[0]", "sparse[134217727]", "untouched[500]", "*(long *)$sp", "own", "$ymm0.v4_int64"];

fn arguments<'a>(options: &[&'a str], program: &'a str) -> Vec<&'a str> {
    let start = ["run", "--json", "--timeout", "80", "--keep-going", "--batch", "-", "-n", "2"];
    start.iter().chain(options).copied().chain([program]).collect()
}

/// Stops both ranks in `leaf`, with a breakpoint inserted there.
fn way() -> String {
    format!("break core_files.c:{}\ngo\nwait\n", line("core_files.c", "leaf"))
}

/// gdb's answers about a core file.
#[track_caller]
pub(super) fn gdb(program: &Path, core: &Path, questions: &[String]) -> Vec<String> {
    const MARK: &str = "@@ question @@";
    let mut gdb = Command::new("gdb");
    gdb.args(["-nx", "-q", "-batch", "-ex", "set width 0", "-ex", "set debuginfod enabled off"]);
    // Else addresses that the core file lacks are read from the program.
    gdb.arg("-ex").arg(format!("core-file {}", core.display()));
    for question in questions {
        gdb.args(["-ex", &format!("echo {MARK}\\n"), "-ex", question]);
    }
    let output = gdb.arg(program).stdin(Stdio::null()).output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    let parts: Vec<String> = text.split(&format!("{MARK}\n")).skip(1).map(|part| part.trim().to_owned()).collect();
    assert_eq!(parts.len(), questions.len(), "{text}\n{}", String::from_utf8_lossy(&output.stderr));
    parts
}

/// The functions of gdb's stack, innermost first.
pub(super) fn functions(stack: &str) -> Vec<String> {
    let frames = stack.lines().filter(|line| line.starts_with('#'));
    let function = |frame: &str| {
        let rest = frame.split_once(' ').unwrap().1.trim_start();
        let rest =
            rest.split_once(" in ").filter(|(address, _)| address.starts_with("0x")).map_or(rest, |(_, rest)| rest);
        rest.split(" (").next().unwrap().to_owned()
    };
    frames.map(function).collect()
}

/// The bytes at an address, as the file itself has them.
fn stored(core: &Path, address: u64, length: usize) -> Option<Vec<u8>> {
    let file = fs::File::open(core).unwrap();
    let read = |at: u64, length: usize| {
        let mut bytes = vec![0; length];
        file.read_exact_at(&mut bytes, at).unwrap();
        bytes
    };
    let header = read(0, 64);
    let headers = u64::from(u16::from_le_bytes(header[56..58].try_into().unwrap()));
    let at = (1..headers).find_map(|index| {
        let header = read(64 + 56 * index, 56);
        let number = |at: usize| u64::from_le_bytes(header[at..at + 8].try_into().unwrap());
        let (offset, start, stored) = (number(8), number(16), number(32));
        (start..start + stored).contains(&address).then(|| offset + address - start)
    })?;
    Some(read(at, length))
}

fn values(outcome: &Outcome, rank: &str) -> Vec<String> {
    let of_rank = |expression: &&str| {
        let found = outcome.of("value").into_iter().find(|value| {
            let set = rankscope::model::ProcessSet::parse(value["ranks"].as_str().unwrap()).unwrap();
            value["expression"] == **expression && set.contains(rankscope::model::Rank(rank.parse().unwrap()))
        });
        found.unwrap_or_else(|| panic!("{expression} of {rank}: {}", outcome.text))["value"]
            .as_str()
            .unwrap()
            .to_owned()
    };
    VALUES.iter().map(of_rank).collect()
}

/// Writes the core files of both ranks, and asks for what they hold: the values, and the stacks of the four threads of each.
fn written(program: &Path, directory: &Path) -> Outcome {
    let mut lines = way();
    VALUES.iter().for_each(|value| lines += &format!("print {value}\n"));
    for rank in ["0", "1"] {
        lines += &format!("[{rank}] x/1xg hidden\n");
        for thread in 1..=4 {
            lines += &format!("[{rank}.{thread}] where -all\n");
        }
    }
    lines += &format!("gcore {}\n", directory.display());
    Place::new().run(&arguments(&[], program.to_str().unwrap()), &lines).expect(0)
}

fn names(stack: &serde_json::Value) -> Vec<String> {
    let frames = stack["frames"].as_array().unwrap();
    frames.iter().map(|frame| frame["function"].as_str().unwrap_or("??").to_owned()).collect()
}

#[test]
fn gdb_finds_threads_stacks_and_values_in_core_files() {
    let program = plain("core_files.c");
    let directory = tempfile::tempdir().unwrap();
    let outcome = written(&program, directory.path());

    let core = &outcome.of("core")[0];
    assert_eq!((core["ranks"].as_str(), core["directory"].as_str()), (Some("0-1"), directory.path().to_str()));
    let site = &outcome.of("breakpoint")[0]["sites"][0]["address"];
    let site = u64::from_str_radix(site.as_str().unwrap().trim_start_matches("0x"), 16).unwrap();
    let hidden: Vec<u64> = outcome
        .of("memory")
        .iter()
        .map(|memory| u64::from_str_radix(memory["address"].as_str().unwrap().trim_start_matches("0x"), 16).unwrap())
        .collect();
    let stacks = outcome.of("stack");
    assert_eq!((stacks.len(), hidden.len()), (8, 2), "{}", outcome.text);
    for (rank, file) in core["files"].as_array().unwrap().iter().enumerate() {
        let path = Path::new(file["path"].as_str().unwrap());
        assert_eq!(path, directory.path().join(format!("core.{rank}")));
        let found = fs::metadata(path).unwrap();
        assert_eq!(found.permissions().mode() & 0o777, 0o600);
        assert_eq!((file["size"].as_u64(), file["stored"].as_u64()), (Some(found.len()), Some(found.blocks() * 512)));
        assert!(found.len() > 1 << 30, "the sparse memory is in it");
        assert!(found.blocks() * 512 < 64 << 20, "and takes no room: {}", found.blocks() * 512);

        let code = stored(path, site, 1).expect("code with a breakpoint is in the core file");
        assert_ne!(code, [0xcc], "the breakpoint is not");
        assert_eq!(stored(path, hidden[rank], 8), None, "memory that the program excludes is not in it");

        let mut questions = vec!["info threads".to_owned(), "print $_siginfo.si_signo".to_owned()];
        questions.extend(VALUES.iter().map(|value| format!("print {value}")));
        questions.extend((1..=4).map(|thread| format!("thread apply {thread} bt")));
        let answers = gdb(&program, path, &questions);
        let threads: Vec<&str> = answers[0].lines().filter(|line| line.contains("LWP")).collect();
        assert!(threads.len() == 4 && threads[0].starts_with("* 1") && threads[0].contains("leaf"), "{}", answers[0]);
        assert_eq!(answers[1], "$1 = 5");
        let theirs: Vec<&str> = answers[2..2 + VALUES.len()].iter().map(|a| a.split_once(" = ").unwrap().1).collect();
        assert_eq!(theirs, values(&outcome, &rank.to_string()));
        for (thread, stack) in answers[2 + VALUES.len()..].iter().enumerate() {
            assert_eq!(
                functions(stack),
                names(&stacks[4 * rank + thread]),
                "rank {rank}, thread {}: {stack}",
                thread + 1
            );
        }
    }
}

/// lldb's answer to each question about a core file.
#[track_caller]
fn lldb(program: &Path, core: &Path, questions: &[String]) -> Vec<String> {
    let mut lldb = Command::new("lldb");
    // Neither its settings nor its Python are needed.
    lldb.args(["--no-lldbinit", "--batch", "--script-language", "none"]);
    lldb.args(["-o", &format!("target create {} --core {}", program.display(), core.display())]);
    questions.iter().for_each(|question| _ = lldb.args(["-o", question]));
    let output = lldb.stdin(Stdio::null()).output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    let parts: Vec<String> = text.split("(lldb) ").skip(2).map(|part| part.trim().to_owned()).collect();
    assert_eq!(parts.len(), questions.len(), "{text}\n{}", String::from_utf8_lossy(&output.stderr));
    parts
}

#[test]
fn lldb_finds_threads_stacks_and_values_in_core_files() {
    // lldb 14 finds no thread-local variables in core files, also in those of gdb, and prints structures and registers in its
    // own way.
    const SHARED: [&str; 4] = ["y", "sparse[0]", "sparse[134217727]", "untouched[500]"];
    let program = plain("core_files.c");
    let directory = tempfile::tempdir().unwrap();
    let outcome = written(&program, directory.path());
    let stacks = outcome.of("stack");
    for rank in 0..2 {
        let core = directory.path().join(format!("core.{rank}"));
        let mut questions = vec!["thread backtrace all".to_owned()];
        questions.extend(SHARED.iter().map(|value| format!("expression -- {value}")));
        let answers = lldb(&program, &core, &questions);

        // frame #1: 0x0000555555555203 cf`stay(number=0) at core_files.c:20:9
        let theirs: Vec<Vec<&str>> = answers[0]
            .split("thread #")
            .skip(1)
            .map(|thread| {
                let frames = thread.lines().filter_map(|line| line.split_once('`'));
                frames.map(|(_, frame)| frame.split(['(', ' ']).next().unwrap()).collect()
            })
            .collect();
        assert_eq!(theirs.len(), 4, "{}", answers[0]);
        for (thread, theirs) in theirs.iter().enumerate() {
            // lldb goes on above `main`. In the C library it names other functions than gdb: those that others are inlined into.
            let ours = names(&stacks[4 * rank + thread]);
            assert!(theirs.len() >= ours.len(), "rank {rank}: {}", answers[0]);
            let own = |names: &[&str]| -> Vec<(usize, String)> {
                let of_program =
                    names.iter().enumerate().filter(|(_, name)| ["leaf", "main", "stay", "run"].contains(name));
                of_program.map(|(level, name)| (level, (*name).to_owned())).collect()
            };
            let ours: Vec<&str> = ours.iter().map(String::as_str).collect();
            assert_eq!(own(theirs), own(&ours), "rank {rank}: {}", answers[0]);
            assert!(own(&ours).len() == 2, "{ours:?}");
        }

        let ours = values(&outcome, &rank.to_string());
        for (expression, answer) in SHARED.iter().zip(&answers[1..]) {
            let theirs = answer.rsplit_once(" = ").unwrap_or_else(|| panic!("{expression}: {answer}")).1;
            let at = VALUES.iter().position(|value| value == expression).unwrap();
            assert_eq!(theirs, ours[at], "{expression} of rank {rank}");
        }
    }
}

#[test]
fn core_files_replace_nothing_and_leave_nothing_behind() {
    let program = plain("core_files.c");
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().display();
    fs::write(directory.path().join("core.1"), "mine").unwrap();
    let missing = directory.path().join("missing");
    let lines = format!(
        "{}gcore {path}\ngcore /proc\ngcore {}\n[0] print y\ngo\ngcore {path}\nhalt\nwait\n",
        way(),
        missing.join("x").display()
    );
    let outcome = Place::new().run(&arguments(&[], program.to_str().unwrap()), &lines);
    let errors: Vec<(String, String)> = outcome
        .of("error")
        .iter()
        .map(|error| (error["ranks"].as_str().unwrap().to_owned(), error["message"].as_str().unwrap().to_owned()))
        .collect();
    let said = |ranks: &str, words: &str| {
        assert!(errors.iter().any(|(of, text)| of == ranks && text.contains(words)), "{words}: {errors:?}");
    };
    said("1", &format!("{path}/core.RANK exists: remove it, or name another directory"));
    said("0-1", "cannot write /proc/core.RANK: ");
    said("0-1", &format!("no directory {} on the rank's host", missing.display()));
    said("0-1", "still running (halt or wait first)");
    assert_eq!(errors.len(), 4, "{errors:?}");
    assert_eq!(outcome.ranks("core", "type", "core"), "0");
    assert_eq!(outcome.ranks("value", "value", "2.5"), "0", "the ranks stay as they are");
    assert_eq!(fs::read(directory.path().join("core.1")).unwrap(), b"mine");
    let names: Vec<_> = fs::read_dir(directory.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(names.len(), 2, "{names:?}");
}

#[test]
fn a_limit_of_file_sizes_is_an_error_not_the_end_of_the_server() {
    let program = plain("core_files.c");
    let place = Place::new();
    let (directory, wrapper) = (tempfile::tempdir().unwrap(), place.path().join("limited"));
    script(&wrapper, "ulimit -f 204800\nexec \"$@\"");
    let lines = format!("{}gcore {}\n[1] print y\n", way(), directory.path().display());
    let outcome = place.run_under(&wrapper, &arguments(&[], program.to_str().unwrap()), &lines);
    let errors = outcome.of("error");
    assert!(errors[0]["message"].as_str().unwrap().contains("(ulimit -f)"), "{}", outcome.text);
    assert_eq!(outcome.ranks("value", "value", "3.5"), "1");
    assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 0);
}

#[test]
fn gdb_writes_the_core_files_of_its_ranks() {
    let program = plain("relay.c");
    let directory = tempfile::tempdir().unwrap();
    let lines = format!("break work\ngo\nwait\ngcore {0}\ngcore {0}\n", directory.path().display());
    let outcome = Place::new().run(&arguments(&["--engine", "gdb"], program.to_str().unwrap()), &lines);
    assert_eq!(outcome.ranks("core", "type", "core"), "0-1", "{}", outcome.text);
    assert_eq!(outcome.of("error").len(), 1);
    for rank in 0..2 {
        let path = directory.path().join(format!("core.{rank}"));
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
        assert_eq!(functions(&gdb(&program, &path, &["bt".to_owned()])[0]), ["work", "main"]);
    }
    assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 2);
}

#[test]
fn a_relative_directory_counts_from_that_of_the_front_end() {
    let program = plain("relay.c");
    let place = Place::new();
    let (directory, wrapper) = (tempfile::tempdir().unwrap(), place.path().join("elsewhere"));
    fs::create_dir(directory.path().join("below")).unwrap();
    script(&wrapper, &format!("cd {}\nexec \"$@\"", directory.path().display()));
    let lines = "gcore\ngcore below/.\ngcore below/before\n";
    let arguments = arguments(&["--cwd", "/"], program.to_str().unwrap());
    let outcome = place.run_under(&wrapper, &arguments, lines).expect(0);
    let directories: Vec<_> = outcome.of("core").iter().map(|core| core["directory"].clone()).collect();
    let own = directory.path().display();
    assert_eq!(directories, [format!("{own}"), format!("{own}/below"), format!("{own}/below")]);
    for name in ["core.0", "core.1", "below/core.0", "below/core.1", "below/before.0", "below/before.1"] {
        assert!(directory.path().join(name).is_file(), "{name}");
    }
}
