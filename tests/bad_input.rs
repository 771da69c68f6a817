//! What cannot be debugged gets a clear sentence and the right exit status, and leaves nothing behind.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on ends")]

mod support;

use std::{
    fs,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
};
use support::batch::{Outcome, Place};

#[track_caller]
fn run(place: &Place, words: &[&str], script: &str) -> Outcome {
    let mut arguments = vec!["run", "--timeout", "25", "--batch", "-"];
    arguments.extend(words);
    place.run(&arguments, script)
}

fn file(place: &Place, name: &str, content: &[u8], mode: u32) -> PathBuf {
    let path = place.path().join(name);
    fs::write(&path, content).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
    path
}

fn words(path: &Path) -> &str {
    path.to_str().unwrap()
}

#[test]
fn programs_that_cannot_be_started_are_named() {
    let place = Place::new();
    let plain = file(&place, "plain", b"not a program\n", 0o644);
    let foreign = {
        // An ELF header of another machine (elf(5): EM_AARCH64 is 183).
        let mut header = vec![0u8; 64];
        header[..20].copy_from_slice(&[0x7f, b'E', b'L', b'F', 2, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0, 183, 0]);
        file(&place, "foreign", &header, 0o755)
    };
    for program in ["/does/not/exist", "no-such-program-anywhere", words(place.path()), words(&plain), words(&foreign)]
    {
        let outcome = run(&place, &["-n", "2", program], "status\n").expect(4);
        let said = format!("{}{}", outcome.text, outcome.errors);
        assert!(said.contains(program), "{program}:\n{said}");
        assert!(!said.contains("panicked"), "{said}");
    }
}

#[test]
fn a_kernel_that_forbids_ptrace_is_named_with_what_to_do() {
    let place = Place::new();
    let wrapper = support::build::build("gcc", "no_ptrace.c", &[]);
    let program = support::build::plain("contract.c");
    let arguments = ["run", "--timeout", "25", "--batch", "-", "-n", "2", words(&program)];
    let outcome = place.run_under(&wrapper, &arguments, "status\n").expect(4);
    let said = format!("{}{}", outcome.text, outcome.errors);
    for advice in ["ptrace is forbidden", "ptrace_scope", "CAP_SYS_PTRACE"] {
        assert!(said.contains(advice), "{said}");
    }
    assert_eq!(said.matches("ptrace is forbidden").count(), 1, "{said}");
    assert!(said.contains("[0-1] cannot trace processes "), "{said}");
}

#[test]
fn wrong_usage_is_told_before_anything_starts() {
    let place = Place::new();
    for (words, message) in [
        (&["-n", "0", "./app"][..], "0 is not in"),
        (&["-n", "4000000", "./app"], "too many"),
        (&["mpirun", "--no-such-option", "./app"], "--no-such-option"),
        (&["--cwd", "/does/not/exist", "./app"], "no such directory"),
        (&["--stop-at", "a.c:0", "./app"], "line number"),
        (&["--engine", "native", "--gdb", "gdb", "./app"], "--engine gdb"),
        (&[], "PROGRAM"),
    ] {
        let outcome = run(&place, words, "").expect(2);
        assert!(outcome.errors.contains(message), "{words:?}: {}", outcome.errors);
    }
    let outcome = place.run(&["run", "--batch", "/does/not/exist", "true"], "").expect(2);
    assert!(outcome.errors.contains("cannot read /does/not/exist"), "{}", outcome.errors);
    let outcome = place.run(&["demo"], "").expect(2);
    assert!(outcome.errors.contains("needs a terminal"), "{}", outcome.errors);
}

#[test]
fn a_program_that_ends_at_once_has_ended() {
    let place = Place::new();
    let outcome = run(&place, &["--stop-at", "none", "-n", "2", "true"], "wait exited\nstatus\nwhere\n").expect(1);
    assert!(outcome.text.contains("[0-1] exited with code 0"), "{}", outcome.text);
    assert!(outcome.text.contains("[0-1] error: it has exited with code 0"), "{}", outcome.text);
}

#[test]
fn a_script_as_program_is_run_through() {
    let place = Place::new();
    let program = support::build::plain("relay.c");
    let wrapper = file(&place, "wrapper", format!("#!/bin/sh\nexec {} \"$@\"\n", program.display()).as_bytes(), 0o755);
    let outcome = run(&place, &["-n", "2", words(&wrapper)], "where\nprint argc\n").expect(0);
    assert!(outcome.text.contains("[0-1] #0  main at relay.c:"), "{}", outcome.text);
    assert!(outcome.text.contains("[0-1] argc = 1"), "{}", outcome.text);
}

#[test]
fn a_stripped_program_still_has_a_stack() {
    let place = Place::new();
    let program = support::build::build("gcc", "relay.c", &["-O0", "-s"]);
    let script = "break usleep\nwait\nwhere\nprint rank\n";
    let outcome = run(&place, &["--stop-at", "none", "-n", "2", words(&program), "spin"], script).expect(1);
    // The function of the library has a name, with or without the library's debug information; its caller has none.
    assert!(outcome.text.contains("[0-1] #0  usleep"), "{}", outcome.text);
    assert!(outcome.text.contains("[0-1] #1  ?? from relay"), "{}", outcome.text);
    assert!(outcome.text.contains("error: ") && outcome.text.contains("rank"), "{}", outcome.text);
}

#[test]
fn a_launcher_that_is_missing_or_fails_is_heard() {
    let place = Place::new();
    let outcome = run(&place, &["/does/not/exist/mpirun", "-n", "2", "true"], "").expect(4);
    assert!(outcome.errors.contains("/does/not/exist/mpirun"), "{}", outcome.errors);
    let failing = file(&place, "mpirun", b"#!/bin/sh\necho no slots for you >&2\nexit 9\n", 0o755);
    let outcome = run(&place, &[words(&failing), "-n", "2", "true"], "").expect(4);
    let said = format!("{}{}", outcome.text, outcome.errors);
    assert_eq!(said.matches("no slots for you").count(), 1, "{said}");
    assert!(outcome.errors.contains("exit code 9"), "{said}");
}

#[test]
fn a_configuration_that_cannot_be_read_is_named() {
    let place = Place::new();
    let config = file(&place, "config.toml", b"theme = \"dark\"\nnonsense = 1\n", 0o644);
    let outcome = run(&place, &["--config", words(&config), "-n", "1", "true", "--stop-at"], "");
    assert!(outcome.errors.contains("config.toml:2:1: unknown field `nonsense`"), "{}", outcome.errors);
}

/// A program whose names of everything, output and threads hold escape sequences, of C0 and of C1.
fn steering(place: &Place) -> PathBuf {
    let built = support::build::build("gcc", "steering.c", &["-g", "-O0", "-fno-builtin"]);
    let mut bytes = fs::read(built).unwrap();
    for (mark, sequence) in [("QESCQ", "\u{1b}]0;x"), ("QCSIQ", "\u{9b}2Jx")] {
        while let Some(at) = bytes.windows(mark.len()).position(|part| part == mark.as_bytes()) {
            bytes[at..at + mark.len()].copy_from_slice(sequence.as_bytes());
        }
    }
    file(place, "ste\u{1b}]0;x\u{9b}2Jring", &bytes, 0o755)
}

const SHOW_ALL: &str = "break stop_here\ngo\nwait stopped\nwhere\nwhere -full\nup\nframe\nlocals\nargs\nthreads\nstatus\n\
                        tree\ninfo variables QESCQ\ninfo sharedlibrary\nwhatis *&$pc\nlist\ninfo breakpoints\ndisassemble\n\
                        info symbol $pc\ninfo line\ninfo source\ninfo frame\nprint no\u{1b}[2Jsuch\n";

#[test]
fn nothing_of_the_debuggee_steers_the_terminal() {
    let place = Place::new();
    let program = steering(&place);
    let script = SHOW_ALL.replace("QESCQ", "\u{1b}]0;x");
    let run = |options: &[&str]| {
        let words = [&["run", "--timeout", "25", "--keep-going", "--batch", "-"], options, &[words(&program)]].concat();
        place.run(&words, &script)
    };
    let steers = |c: char| c.is_control() && c != '\n' && c != '\t';

    let outcome = run(&[]);
    let said = format!("{}{}", outcome.text, outcome.errors);
    assert!(!said.contains(steers), "{said:?}");
    for (what, shown) in [
        ("output", r"| \u{1b}]0;x\u{7} and \u{9b}2J	after a tab"),
        ("errors", r"! \u{1b}]0;x\u{7} and \u{9b}2J	after a tab"),
        ("a function in a file", r"\u{1b}]0;x_function at \u{1b}]0;x_\u{9b}2Jx.c:4"),
        ("a variable", r"\u{1b}]0;x_local = "),
        ("a thread", r#""\u{1b}[2J\u{9b}2J""#),
    ] {
        assert!(said.contains(shown), "{what}:\n{said}");
    }

    let outcome = run(&["--json"]);
    assert!(!outcome.text.contains(steers), "{:?}", outcome.text);
    assert!(outcome.text.contains(r"\u009b2J"));
    let stacks = outcome.of("stack");
    assert_eq!(stacks[0]["frames"][1]["function"], "\u{1b}]0;x_function");

    let outcome = run(&["--raw"]);
    assert!(outcome.text.contains("| \u{1b}]0;x\u{7} and \u{9b}2J\tafter a tab"), "{}", outcome.text);
}

#[test]
fn what_cannot_be_started_does_not_steer_the_terminal() {
    let place = Place::new();
    let program = file(&place, "no\u{1b}[2J\u{9b}2Jprogram", b"\x7fELF", 0o755);
    let outcome = run(&place, &[words(&program)], "status\n").expect(4);
    let said = format!("{}{}", outcome.text, outcome.errors);
    assert!(
        !said.contains(|c: char| c.is_control() && c != '\n') && said.contains(r"no\u{1b}[2J\u{9b}2Jprogram"),
        "{said:?}"
    );
}
