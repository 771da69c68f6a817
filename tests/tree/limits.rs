//! System limits met by a session: a message names the exhausted resource, and nothing is left behind.

use crate::support::batch::Place;
use crate::support::process::Guard;
use crate::support::wait::wait_for;
use rankscope::protocol::SessionDirectory;
use std::fs;
use std::io::Read as _;
use std::os::unix::net::UnixListener;
use std::process::{Command, Stdio};

const SCRIPT: &str = "break work\ngo\nwait\nbacktrace\nprint rank\nquit\n";

/// From hardly enough for a server to start up to enough, in kB of address space (setrlimit(2), RLIMIT_AS): front end,
/// master and server meet the limit while they start, while debug information is read, and in the middle of the job.
#[test]
fn memory_that_has_run_out_is_named_and_leaves_nothing_behind() {
    let program = crate::support::build::plain("relay.c").display().to_string();
    let (mut short, mut enough) = (0, 0);
    for kilobytes in [55_000, 60_000, 65_000, 70_000, 90_000, 130_000, 250_000, 4_000_000] {
        let place = Place::new();
        let limited = format!("ulimit -c 0; ulimit -v {kilobytes}; exec \"$@\"");
        let words = ["-c", &limited, "sh", env!("CARGO_BIN_EXE_rankscope"), "run", "--batch", "-", "-n", "2", &program];
        // With this variable, a failure prints a backtrace, for which there is no memory either.
        let mut command = Command::new("sh");
        let outcome = place.run_command(command.args(words).env("RUST_BACKTRACE", "1"), SCRIPT);
        let said = format!("{}{}", outcome.text, outcome.errors);
        if outcome.status == 0 {
            assert!(said.contains("work at relay.c") && said.contains("rank = 1"), "{kilobytes}: {said}");
            enough += 1;
        } else {
            let is_named = said.contains("ulimit -v")
                // The system's loader has not even started the program.
                || outcome.status == 127 && said.contains("error while loading shared libraries")
                || said.contains("Cannot allocate memory");
            assert!(is_named, "{kilobytes}: {} {said}", outcome.status);
            short += 1;
        }
        for word in ["panicked", "RUST_BACKTRACE", "stack backtrace", "core dumped"] {
            assert!(!said.contains(word), "{kilobytes}: {said}");
        }
        let sessions = place.path().join("rankscope");
        let left: Vec<_> = fs::read_dir(sessions).into_iter().flatten().flatten().map(|entry| entry.path()).collect();
        assert!(left.is_empty(), "{kilobytes}: {left:?}");
    }
    assert!(short >= 3 && enough >= 1, "{short} were short of memory, {enough} had enough");
}

/// A front end that is already connected would report a lost session.
#[test]
fn a_master_that_cannot_write_says_so_before_it_connects() {
    let base = tempfile::Builder::new().prefix("rs").tempdir_in("/tmp").unwrap();
    let directory = SessionDirectory::create_in(&base.path().join("s"), None).unwrap();
    directory.create_key().unwrap();
    let socket = directory.front_socket();
    let listener = UnixListener::bind(&socket).unwrap();
    listener.set_nonblocking(true).unwrap();
    let mut master = Command::new("sh");
    // No file can have any contents (setrlimit(2), RLIMIT_FSIZE).
    master.args(["-c", "trap '' XFSZ; ulimit -f 0; exec \"$@\"", "sh", env!("CARGO_BIN_EXE_rankscope-sdm")]);
    master.args(["--master", "--session"]).arg(directory.path()).arg("--front-end").arg(&socket);
    let mut master = Guard::spawn(master.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped()));
    let status = wait_for("the end of the master", || {
        assert!(listener.accept().is_err(), "it has connected");
        master.0.try_wait().unwrap()
    });
    assert!(!status.success());
    assert!(listener.accept().is_err(), "it has connected");
    let mut words = String::new();
    master.0.stderr.take().unwrap().read_to_string(&mut words).unwrap();
    assert!(words.contains("session.json") && words.contains("File too large"), "{words}");
}
