//! Input that cannot be debugged gets a clear message and the right exit status, and leaves nothing behind.

use crate::support::batch::{Outcome, Place};
use std::{
    fs,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
};

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
        assert!(program != words(&foreign) || said.contains("(AArch64)"), "{said}");
        assert!(!said.contains("panicked"), "{said}");
    }
}

#[test]
fn a_kernel_that_forbids_ptrace_is_named_with_what_to_do() {
    let place = Place::new();
    let wrapper = crate::support::build::build("gcc", "no_ptrace.c", &[]);
    let program = crate::support::build::plain("contract.c");
    let arguments = ["run", "--timeout", "25", "--batch", "-", "-n", "2", words(&program)];
    let outcome = place.run_under(&wrapper, &arguments, "status\n").expect(4);
    let said = format!("{}{}", outcome.text, outcome.errors);
    for advice in ["ptrace is not permitted", "ptrace_scope", "CAP_SYS_PTRACE"] {
        assert!(said.contains(advice), "{said}");
    }
    assert_eq!(said.matches("ptrace is not permitted").count(), 1, "{said}");
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
    assert!(outcome.text.contains("[0-1] error: has exited with code 0"), "{}", outcome.text);
}

#[test]
fn a_script_as_program_is_run_through() {
    let place = Place::new();
    let program = crate::support::build::plain("relay.c");
    let wrapper = file(&place, "wrapper", format!("#!/bin/sh\nexec {} \"$@\"\n", program.display()).as_bytes(), 0o755);
    let outcome = run(&place, &["-n", "2", words(&wrapper)], "where\nprint argc\n").expect(0);
    assert!(outcome.text.contains("[0-1] #0  main (argc=1, argv="), "{}", outcome.text);
    assert!(outcome.text.contains("[0-1] argc = 1"), "{}", outcome.text);
}

fn beginning(options: &[&str]) -> PathBuf {
    crate::support::build::build("gcc", "beginning.S", &[&["-nostdlib", "-static"], options].concat())
}

#[test]
fn programs_of_another_kind_are_an_error_that_says_what_to_do() {
    let place = Place::new();
    let of_32_bits = beginning(&["-m32"]);
    let by_script = file(&place, "starts", format!("#!/bin/sh\nexec {}\n", of_32_bits.display()).as_bytes(), 0o755);
    for (program, why) in [
        (&of_32_bits, "is not for x86-64"),
        (&by_script, "is not for x86-64"),
        (&beginning(&["-DGO"]), "is a Go program"),
        (&beginning(&["-DGO", "-s"]), "is a Go program"),
    ] {
        let outcome = run(&place, &["-n", "2", words(program)], "where\n").expect(4);
        let said = format!("{}{}", outcome.text, outcome.errors);
        assert!(said.contains(why) && said.contains("--engine gdb"), "{program:?}:\n{said}");
        assert!(said.contains("[0-1] failed: "), "{said}");
        assert!(!said.contains("exited with code"), "it has run:\n{said}");
    }
}

#[test]
fn a_process_of_another_kind_is_left_alone() {
    let place = Place::new();
    let mut guard =
        crate::support::process::Guard::spawn(&mut std::process::Command::new(beginning(&["-m32", "-DSPIN"])));
    let pid = guard.0.id().to_string();
    let outcome = place.run(&["attach", &pid, "--timeout", "25", "--batch", "-"], "where\n").expect(4);
    let said = format!("{}{}", outcome.text, outcome.errors);
    assert!(said.contains("is not for x86-64") && said.contains("--engine gdb"), "{said}");
    assert!(guard.0.try_wait().unwrap().is_none(), "it has ended");
}

#[test]
fn a_program_without_a_main_function_stops_where_it_begins() {
    let place = Place::new();
    let outcome = run(&place, &["-n", "2", words(&beginning(&[]))], "where\n").expect(0);
    assert!(outcome.text.contains("[0-1] #0  _start"), "{}", outcome.text);
    let outcome = run(&place, &["-n", "2", words(&beginning(&["-s"]))], "print $pc\n").expect(0);
    assert!(outcome.text.contains("[0-1] stopped: start, "), "{}", outcome.text);
}

#[test]
fn a_script_that_starts_no_program_says_why_nothing_has_stopped() {
    let place = Place::new();
    let script = file(&place, "script", b"#!/bin/sh\nexit 4\n", 0o755);
    let outcome = run(&place, &["-n", "2", words(&script)], "where\n").expect(1);
    assert!(outcome.text.contains("[0-1] warning: ended before its first stop: "), "{}", outcome.text);
}

#[test]
fn a_stripped_program_still_has_a_stack() {
    let place = Place::new();
    let program = crate::support::build::build("gcc", "relay.c", &["-O0", "-s"]);
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
    assert!(outcome.errors.contains("exited with code 9"), "{said}");
}

#[test]
fn a_configuration_that_cannot_be_read_is_named() {
    let place = Place::new();
    let config = file(&place, "config.toml", b"theme = \"dark\"\nnonsense = 1\n", 0o644);
    let outcome = run(&place, &["--config", words(&config), "-n", "1", "true", "--stop-at"], "");
    assert!(outcome.errors.contains("config.toml:2:1: unknown field `nonsense`"), "{}", outcome.errors);
}

/// A program with escape sequences (C0 and C1) in all its names, its output and its threads' names.
fn steering(place: &Place) -> PathBuf {
    let built = crate::support::build::build("gcc", "steering.c", &["-g", "-O0", "-fno-builtin"]);
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
        ("a function in a file", r"\u{1b}]0;x_function (\u{9b}2Jx_argument=28) at \u{1b}]0;x_\u{9b}2Jx.c:4"),
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

/// Runs a wrapper around rankscope.
#[track_caller]
fn run_under(place: &Place, wrapper: &str, words: &[&str], script: &str) -> Outcome {
    let path = place.path().join("wrapper");
    crate::support::build::script(&path, wrapper);
    let mut arguments = vec!["run", "--timeout", "25", "--batch", "-"];
    arguments.extend(words);
    place.run_under(&path, &arguments, script)
}

#[test]
fn a_full_runtime_directory_is_named_and_nothing_stays_in_it() {
    let program = crate::support::build::plain("loop.c");
    let place = Place::new();
    let mut refused = 0;
    // A mount of its own, so that everything left behind there is seen.
    for size in ["4k", "8k", "12k", "16k", "24k", "64k"] {
        let wrapper = format!(
            "exec unshare --mount sh -c 'mkdir -p $XDG_RUNTIME_DIR/full && mount -t tmpfs -o size={size},mode=0700 none \
             $XDG_RUNTIME_DIR/full && XDG_RUNTIME_DIR=$XDG_RUNTIME_DIR/full && \"$@\"; status=$?; \
             find $XDG_RUNTIME_DIR -mindepth 2 >&2; exit $status' sh \"$@\""
        );
        let outcome = run_under(&place, &wrapper, &["-n", "2", words(&program)], "kill\n");
        let full = place.path().join("full").display().to_string();
        let left = outcome.errors.lines().any(|line| line.starts_with(&full));
        assert!(!left, "{size}: {outcome:?}");
        if outcome.status != 0 {
            assert!(outcome.errors.contains("no space left on the file system"), "{size}: {outcome:?}");
            refused += 1;
        }
    }
    // A session needs a page each for its mark, key, description and first messages; logs may be truncated.
    assert!((1..=4).contains(&refused), "{refused}");
}

/// A debuggee that prints the owners of its server's and master's descriptors in proc: root's for processes that must
/// not be dumped (proc(5)).
const OWNERS: &str = "master=$(sed -n 's/^PPid:.//p' /proc/$PPID/status); \
                      echo server $(stat -c %u /proc/$PPID/fd) master $(stat -c %u /proc/$master/fd)";

#[test]
fn what_holds_the_key_cannot_be_dumped_and_debugs_as_a_plain_user() {
    use std::os::unix::fs::chown;
    let place = Place::new();
    assert!(nix::unistd::geteuid().is_root(), "this test becomes another user");
    for path in [place.path(), &place.path().join("config")] {
        chown(path, Some(65534), Some(65534)).unwrap();
        fs::set_permissions(path, fs::Permissions::from_mode(0o700)).unwrap();
    }
    let wrapper = "exec setpriv --reuid=65534 --regid=65534 --clear-groups \"$@\"";
    let program = ["--stop-at", "none", "--", "/bin/sh", "-c", OWNERS];
    let native = run_under(&place, wrapper, &program, "wait exited for 20\n").expect(0);
    assert!(native.text.contains("server 0 master 0"), "{}", native.text);
    // gdb's shell inherits the server's descriptors.
    let gdb = ["--engine", "gdb", "--stop-at", "none", "--", "/bin/echo", "heard"];
    let gdb = run_under(&place, wrapper, &gdb, "wait exited for 20\n").expect(0);
    assert!(gdb.text.contains("heard"), "{}", gdb.text);
}

#[test]
fn words_that_are_no_text_reach_the_program_as_they_are() {
    let place = Place::new();
    let out = place.path().join("out");
    let keep = format!("printf %s \"$1\" >{}", out.display());
    let wrapper = "exec \"$@\" \"$(printf 'caf\\351 \\377\\047')\"";
    for before in [&["-n", "1", "--"][..], &["--engine", "gdb", "-n", "1", "--"], &["mpirun.mpich", "-n", "1"]] {
        let words = [&["--stop-at", "none"], before, &["/bin/sh", "-c", &keep, "sh"]].concat();
        let outcome = run_under(&place, wrapper, &words, "wait exited for 60\n").expect(0);
        assert_eq!(fs::read(&out).unwrap(), b"caf\xe9 \xff'", "{before:?}: {}", outcome.text);
        fs::remove_file(&out).unwrap();
    }
    // The name of the program is not UTF-8 either.
    let odd = std::os::unix::ffi::OsStrExt::from_bytes(b"odd\xe9");
    let odd: &std::ffi::OsStr = odd;
    crate::support::build::executable(&place.path().join(odd), b"#!/bin/sh\necho here\n");
    let wrapper = format!("cd {} && exec \"$@\" \"$(printf './odd\\351')\"", place.path().display());
    let outcome = run_under(&place, &wrapper, &["--stop-at", "none", "--"], "wait exited for 60\n").expect(0);
    assert!(outcome.text.contains("here"), "{}", outcome.text);
}
