//! A front end without a screen that takes commands while it runs, and that may be killed in the middle of a command.

use super::batch::Place;
use super::process::Guard;
use super::wait::LIMIT;
use rankscope::model::ProcessSet;
use serde_json::Value;
use std::{
    io::{BufRead, BufReader, Write},
    path::Path,
    process::{ChildStdin, Command, Stdio},
    sync::mpsc::{Receiver, channel},
    thread,
};

/// A script written while it runs.
pub struct Live {
    process: Guard,
    lines: Option<ChildStdin>,
    objects: Receiver<Value>,
}

impl Live {
    /// Starts one; `arguments` omit those that make it a script.
    #[track_caller]
    pub fn start(place: &Place, arguments: &[&str]) -> Self {
        Self::start_with(place, &[], arguments)
    }

    /// Starts one with additional environment variables.
    #[track_caller]
    pub fn start_with(place: &Place, environment: &[(&str, &Path)], arguments: &[&str]) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_rankscope"));
        place.be_home_of(&mut command);
        Self::spawn(command.envs(environment.iter().copied()), arguments)
    }

    /// Starts one with the test's own command.
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
                // A killed process does not finish its line.
                let Ok(object) = serde_json::from_str(&line) else { return };
                if sender.send(object).is_err() {
                    return;
                }
            }
        });
        Self { process, lines, objects }
    }

    /// Writes a line without waiting.
    #[track_caller]
    pub fn say(&mut self, line: &str) {
        writeln!(self.lines.as_mut().unwrap(), "{line}").unwrap();
    }

    /// Its objects up to the first that fits, included.
    #[track_caller]
    pub fn until(&mut self, what: &str, mut fits: impl FnMut(&Value) -> bool) -> Vec<Value> {
        let mut seen = Vec::new();
        loop {
            let next = self.objects.recv_timeout(LIMIT);
            seen.push(next.unwrap_or_else(|error| panic!("{error}, in vain for {what}: {seen:#?}")));
            if seen.last().is_some_and(&mut fits) {
                return seen;
            }
        }
    }

    /// Its objects up to the stop of the last of these ranks. Stops at one place are one object only if they come together.
    #[track_caller]
    pub fn until_stopped(&mut self, ranks: &str) -> Vec<Value> {
        let mut missing = ProcessSet::parse(ranks).unwrap();
        self.until(&format!("the stops of {ranks}"), |object| {
            if object["type"] == "stopped" {
                missing = missing.difference(&ProcessSet::parse(object["ranks"].as_str().unwrap()).unwrap());
            }
            missing.is_empty()
        })
    }

    /// Writes a line and waits until it is done; returns its objects, without durations.
    #[track_caller]
    pub fn run(&mut self, line: &str) -> Vec<Value> {
        self.say(line);
        let mut seen = self.until(line, |object| object["type"] == "done" && object["command"] == line);
        seen.pop();
        seen
    }

    /// Kills it with SIGKILL.
    pub fn kill(mut self) {
        self.process.0.kill().unwrap();
        self.process.wait();
    }

    /// Waits until it ends by itself; returns the exit status.
    #[track_caller]
    pub fn ends(mut self) -> i32 {
        self.process.wait().code().unwrap()
    }

    /// Ends the script; returns the exit status.
    #[track_caller]
    pub fn end(mut self) -> i32 {
        self.lines = None;
        self.process.wait().code().unwrap()
    }
}
