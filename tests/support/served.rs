//! A program that runs before it is debugged, and answers requests: `tests/programs/served.c`.

use super::{
    build,
    process::Guard,
    wait::{LIMIT, wait_for},
};
use nix::errno::Errno;
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use std::{
    io::{BufRead, BufReader, Write},
    iter,
    os::fd::AsFd,
    process::{ChildStdin, ChildStdout, Command, Stdio},
};

/// The process and its two pipes.
pub struct Served {
    process: Guard,
    requests: Option<ChildStdin>,
    answers: BufReader<ChildStdout>,
}

impl Served {
    /// Starts the program, and waits until it works.
    #[track_caller]
    pub fn start() -> Self {
        Self::start_as(&mut Command::new(build::plain("served.c")))
    }

    /// Starts it through a command that execs it.
    #[track_caller]
    pub fn start_as(command: &mut Command) -> Self {
        let mut served = Self::begin(command);
        served.hears('r');
        served
    }

    /// Starts it without waiting.
    #[track_caller]
    pub fn begin(command: &mut Command) -> Self {
        let mut process = Guard::spawn(command.stdin(Stdio::piped()).stdout(Stdio::piped()));
        let requests = process.0.stdin.take();
        let answers = BufReader::new(process.0.stdout.take().unwrap());
        Self { process, requests, answers }
    }

    pub fn pid(&self) -> i32 {
        self.process.0.id() as i32
    }

    /// Sends a request without waiting.
    pub fn ask(&mut self, request: char) {
        write!(self.requests.as_mut().unwrap(), "{request}").unwrap();
    }

    /// Waits for the answer to a request.
    #[track_caller]
    pub fn hears(&mut self, request: char) {
        let mut line = String::new();
        if self.answers.buffer().is_empty() {
            let limit = PollTimeout::try_from(LIMIT).unwrap();
            let mut wanted = [PollFd::new(self.answers.get_ref().as_fd(), PollFlags::POLLIN)];
            // Engines in this process have signal handlers.
            let heard = iter::repeat_with(|| poll(&mut wanted, limit)).find(|heard| *heard != Err(Errno::EINTR));
            assert_eq!(heard, Some(Ok(1)), "no answer to {request}; the process is in state {}", self.state());
        }
        self.answers.read_line(&mut line).unwrap();
        assert_eq!(line, format!("{request}\n"));
    }

    /// Checks that every thread makes a turn.
    #[track_caller]
    pub fn works(&mut self) {
        self.ask('t');
        self.hears('t');
    }

    /// Waits until it ends by itself; returns the number of requests that it served.
    #[track_caller]
    pub fn ends(&mut self) -> i32 {
        self.requests = None;
        let status = self.process.wait();
        status.code().unwrap_or_else(|| panic!("{status:?}"))
    }

    /// The letter of its state (proc(5)).
    pub fn state(&self) -> char {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", self.pid())).unwrap();
        stat.rsplit_once(") ").and_then(|(_, rest)| rest.chars().next()).unwrap()
    }

    #[track_caller]
    pub fn waits_for_state(&self, state: char) {
        wait_for("a state", || (self.state() == state).then_some(()));
    }

    pub fn signal(&self, signal: nix::sys::signal::Signal) {
        nix::sys::signal::kill(nix::unistd::Pid::from_raw(self.pid()), signal).unwrap();
    }
}
