//! A front end without a screen that is talked to while it runs, and that may be killed in the middle of a word.

use super::batch::Place;
use super::process::Guard;
use super::wait::LIMIT;
use serde_json::Value;
use std::{
    io::{BufRead, BufReader, Write},
    path::Path,
    process::{ChildStdin, Command, Stdio},
    sync::mpsc::{Receiver, channel},
    thread,
};

/// A script that is written while it runs.
pub struct Live {
    process: Guard,
    lines: Option<ChildStdin>,
    objects: Receiver<Value>,
}

impl Live {
    /// Starts one; `arguments` without those that make it a script.
    #[track_caller]
    pub fn start(place: &Place, arguments: &[&str]) -> Self {
        Self::start_with(place, &[], arguments)
    }

    /// Starts one with more in its environment.
    #[track_caller]
    pub fn start_with(place: &Place, environment: &[(&str, &Path)], arguments: &[&str]) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_rankscope"));
        place.be_home_of(&mut command);
        Self::spawn(command.envs(environment.iter().copied()), arguments)
    }

    /// Starts one by a command of the test's own.
    #[track_caller]
    pub fn start_command(place: &Place, command: &mut Command, arguments: &[&str]) -> Self {
        place.be_home_of(command);
        Self::spawn(command, arguments)
    }

    fn spawn(command: &mut Command, arguments: &[&str]) -> Self {
        let (verb, rest) = arguments.split_first().unwrap();
        command.args([*verb, "--json", "--keep-going", "--batch", "-"]).args(rest);
        let mut process = Guard::spawn(command.stdin(Stdio::piped()).stdout(Stdio::piped()));
        let (lines, out) = (process.0.stdin.take(), process.0.stdout.take().unwrap());
        let (sender, objects) = channel();
        thread::spawn(move || {
            for line in BufReader::new(out).lines().map_while(Result::ok) {
                // A process that is killed does not finish its line.
                let Ok(object) = serde_json::from_str(&line) else { return };
                if sender.send(object).is_err() {
                    return;
                }
            }
        });
        Self { process, lines, objects }
    }

    /// Writes a line, and waits for nothing.
    #[track_caller]
    pub fn say(&mut self, line: &str) {
        writeln!(self.lines.as_mut().unwrap(), "{line}").unwrap();
    }

    /// What it prints up to an object that fits, which is the last.
    #[track_caller]
    pub fn until(&mut self, what: &str, fits: impl Fn(&Value) -> bool) -> Vec<Value> {
        let mut seen = Vec::new();
        loop {
            let next = self.objects.recv_timeout(LIMIT);
            seen.push(next.unwrap_or_else(|error| panic!("{error}, in vain for {what}: {seen:#?}")));
            if seen.last().is_some_and(&fits) {
                return seen;
            }
        }
    }

    /// Writes a line and waits until it is done; what it printed for it, without how long it took.
    #[track_caller]
    pub fn run(&mut self, line: &str) -> Vec<Value> {
        self.say(line);
        let mut seen = self.until(line, |object| object["type"] == "done" && object["command"] == line);
        seen.pop();
        seen
    }

    /// Ends it without a word.
    pub fn kill(mut self) {
        self.process.0.kill().unwrap();
        self.process.wait();
    }

    /// Waits until it ends by itself; the exit status.
    #[track_caller]
    pub fn ends(mut self) -> i32 {
        self.process.wait().code().unwrap()
    }

    /// Ends the script; the exit status.
    #[track_caller]
    pub fn end(mut self) -> i32 {
        self.lines = None;
        self.process.wait().code().unwrap()
    }
}
