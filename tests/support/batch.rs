//! Scripts on the real binary: their output and exit status, and a check that nothing is left behind.

use super::process::Guard;
use super::wait::wait_for;
use rankscope::model::ProcessSet;
use serde_json::Value;
use std::{
    fs,
    io::{Read, Write},
    path::{Path, PathBuf},
    process::{Command, Stdio},
    sync::Arc,
    thread,
};
use tempfile::TempDir;

/// The outcome of a script.
#[derive(Debug)]
pub struct Outcome {
    /// Exit status.
    pub status: i32,
    /// Standard output.
    pub text: String,
    /// Standard error.
    pub errors: String,
}

/// A directory for sessions, by which their processes are identified.
pub struct Place(Arc<TempDir>);

impl Place {
    /// The timeouts are long, since a busy machine replies late.
    pub fn new() -> Self {
        let place = Self(Arc::new(tempfile::Builder::new().prefix("rsb").tempdir_in("/tmp").unwrap()));
        let config = place.config().join("rankscope");
        fs::create_dir_all(&config).unwrap();
        fs::write(config.join("config.toml"), "[settings]\npatience = 60\n").unwrap();
        place
    }

    /// The configuration directory.
    fn config(&self) -> PathBuf {
        self.path().join("config")
    }

    /// Sets the place's directories in the environment of a program.
    pub fn be_home_of(&self, command: &mut Command) {
        command.env("XDG_RUNTIME_DIR", self.path()).env("XDG_CONFIG_HOME", self.config());
        // The sessions' directory must be private; the one for compiled programs need not be.
        for (name, place) in [("XDG_CACHE_HOME", "cache"), ("XDG_STATE_HOME", "state"), ("RANKSCOPE_SHARED", "shared")]
        {
            command.env(name, self.path().join(place));
        }
        command.env_remove("RANKSCOPE_LOG");
    }

    /// The directory, for other programs that shall find the same sessions.
    pub fn home(&self) -> Arc<TempDir> {
        Arc::clone(&self.0)
    }

    pub fn path(&self) -> &Path {
        self.0.path()
    }

    /// Processes with the place in their environment: all that rankscope started, and their children.
    pub fn processes(&self) -> Vec<i32> {
        let wanted = format!("XDG_RUNTIME_DIR={}\0", self.0.path().display());
        let processes = fs::read_dir("/proc").unwrap().flatten();
        let ours = processes.filter_map(|entry| {
            let environment = fs::read(entry.path().join("environ")).ok()?;
            let found = environment.windows(wanted.len()).any(|part| part == wanted.as_bytes());
            entry.file_name().to_str()?.parse().ok().filter(|_| found)
        });
        ours.collect()
    }

    /// Waits until nothing of rankscope is left here.
    #[track_caller]
    pub fn until_empty(&self) {
        wait_for("the end of all processes", || self.processes().is_empty().then_some(()));
    }

    /// Runs a script and returns its outcome; sessions may continue.
    #[track_caller]
    pub fn ask(&self, arguments: &[&str]) -> Outcome {
        let mut command = Command::new(env!("CARGO_BIN_EXE_rankscope"));
        self.be_home_of(&mut command);
        let output = command.args(arguments).stdin(Stdio::null()).output().unwrap();
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
        Outcome { status: output.status.code().unwrap(), text: text(output.stdout), errors: text(output.stderr) }
    }

    /// Runs a script to its end; afterwards no process may be left.
    #[track_caller]
    pub fn run(&self, arguments: &[&str], script: &str) -> Outcome {
        self.run_command(Command::new(env!("CARGO_BIN_EXE_rankscope")).args(arguments), script)
    }

    /// Starts a script that the test writes and reads.
    #[track_caller]
    pub fn start(&self, arguments: &[&str]) -> Guard {
        let mut command = Command::new(env!("CARGO_BIN_EXE_rankscope"));
        self.be_home_of(&mut command);
        Guard::spawn(command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()))
    }

    /// The same through a program that executes its arguments.
    #[track_caller]
    pub fn run_under(&self, wrapper: &Path, arguments: &[&str], script: &str) -> Outcome {
        self.run_command(Command::new(wrapper).arg(env!("CARGO_BIN_EXE_rankscope")).args(arguments), script)
    }

    /// Runs a script to its end while others run in the same place.
    #[track_caller]
    pub fn run_beside(&self, arguments: &[&str], script: &str) -> Outcome {
        self.outcome_of(Command::new(env!("CARGO_BIN_EXE_rankscope")).args(arguments), script)
    }

    /// Runs any command to its end; afterwards no process may be left.
    #[track_caller]
    pub fn run_command(&self, command: &mut Command, script: &str) -> Outcome {
        let outcome = self.outcome_of(command, script);
        wait_for(&format!("the end of all processes of {command:?}"), || self.processes().is_empty().then_some(()));
        outcome
    }

    #[track_caller]
    fn outcome_of(&self, command: &mut Command, script: &str) -> Outcome {
        self.be_home_of(command);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let (out, err) = (child.stdout.take().unwrap(), child.stderr.take().unwrap());
        let (text, errors) = (thread::spawn(|| all_of(out)), thread::spawn(|| all_of(err)));
        // A program that does not read its script may have ended by now.
        let _ = child.stdin.take().unwrap().write_all(script.as_bytes());
        let mut guard = Guard(child);
        let status = guard.wait();
        let status = status.code().unwrap_or_else(|| panic!("{command:?} ended by a signal: {status}"));
        Outcome { status, text: text.join().unwrap(), errors: errors.join().unwrap() }
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        for pid in self.processes() {
            let pid = nix::unistd::Pid::from_raw(pid);
            let _ = nix::sys::signal::kill(pid, nix::sys::signal::Signal::SIGKILL);
        }
    }
}

fn all_of(mut stream: impl Read) -> String {
    let mut text = String::new();
    stream.read_to_string(&mut text).unwrap();
    text
}

/// Runs a JSON script in a new place on N ranks of a program.
#[track_caller]
pub fn json(options: &[&str], program: &[&str], script: &str) -> Outcome {
    let mut arguments = vec!["run", "--json", "--timeout", "80", "--batch", "-"];
    arguments.extend(options);
    arguments.extend(program);
    Place::new().run(&arguments, script)
}

/// The program whose text the simulated ranks of [`relay`] execute.
pub const RELAY: &str = concat!("fake:", env!("CARGO_MANIFEST_DIR"), "/tests/programs/relay.c");

/// Runs a JSON script on four simulated ranks.
#[track_caller]
pub fn relay(script: &str) -> Outcome {
    json(&["--engine", "fake", "-n", "4"], &[RELAY], script)
}

impl Outcome {
    /// The objects of a JSON script.
    #[track_caller]
    pub fn objects(&self) -> Vec<Value> {
        let parse = |line: &str| serde_json::from_str(line).unwrap_or_else(|error| panic!("{line}: {error}"));
        self.text.lines().map(parse).collect()
    }

    /// The objects of a type.
    #[track_caller]
    pub fn of(&self, kind: &str) -> Vec<Value> {
        self.objects().into_iter().filter(|object| object["type"] == kind).collect()
    }

    /// The ranks of all objects of a type whose field has this value; several objects may cover parts of them.
    #[track_caller]
    pub fn ranks(&self, kind: &str, field: &str, value: impl Into<Value>) -> String {
        let value = value.into();
        let found = self.of(kind).into_iter().filter(|object| object[field] == value);
        let sets = found.map(|object| ProcessSet::parse(object["ranks"].as_str().unwrap()).unwrap());
        sets.fold(ProcessSet::new(), |sum, set| sum.union(&set)).to_string()
    }

    /// Fails the test unless the script ended with this status.
    #[track_caller]
    pub fn expect(self, status: i32) -> Self {
        assert_eq!(self.status, status, "\n{}\n{}", self.text, self.errors);
        self
    }
}
