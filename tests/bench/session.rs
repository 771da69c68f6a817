//! A session of rankscope, driven through `--batch -` and its JSON lines.

use super::figures::memory_kib;
use serde_json::Value;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::rc::Rc;
use std::time::{Duration, Instant};
use tempfile::TempDir;

pub struct Session {
    /// The session's name, for `resume`.
    name: String,
    child: Child,
    output: BufReader<ChildStdout>,
    runtime: Option<Rc<TempDir>>,
}

/// Sessions of users have their sockets in memory (`XDG_RUNTIME_DIR`): where there is no such directory, one is made.
fn runtime() -> Option<Rc<TempDir>> {
    let is_there = std::env::var_os("XDG_RUNTIME_DIR").is_some();
    if is_there { None } else { TempDir::new_in("/dev/shm").ok().map(Rc::new) }
}

impl Session {
    /// Starts a front end with a job of its own.
    pub fn start(command: &mut Command) -> Self {
        let mut session = Self::spawn(command, "", runtime());
        let mut name = String::new();
        session.until(|object| {
            object["session"].as_str().unwrap_or_default().clone_into(&mut name);
            object["type"] == "session"
        });
        session.name = name;
        session
    }

    fn spawn(command: &mut Command, name: &str, runtime: Option<Rc<TempDir>>) -> Self {
        if let Some(directory) = &runtime {
            command.env("XDG_RUNTIME_DIR", directory.path());
        }
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let output = BufReader::new(child.stdout.take().unwrap());
        Self { name: name.to_owned(), child, output, runtime }
    }

    /// Kills the front end and starts another one; returns the time from its start until it has shown the state of all
    /// ranks.
    pub fn resume(&mut self) -> Duration {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
        let start = Instant::now();
        let mut command = Command::new(env!("CARGO_BIN_EXE_rankscope"));
        command.args(["resume", "--json", "--batch", "-", &self.name]);
        let mut later = Self::spawn(&mut command, &self.name, self.runtime.clone());
        later.until(|object| object["type"] == "status");
        // `later` is now the killed front end, and is dropped.
        std::mem::swap(self, &mut later);
        start.elapsed()
    }

    pub fn until(&mut self, mut wanted: impl FnMut(&Value) -> bool) {
        let mut line = String::new();
        loop {
            line.clear();
            assert!(self.output.read_line(&mut line).unwrap() > 0, "rankscope ended early");
            let object: Value = serde_json::from_str(&line).unwrap();
            assert!(object["type"] != "error", "{line}");
            if wanted(&object) {
                return;
            }
        }
    }

    /// Waits until this many ranks have stopped.
    pub fn until_stopped(&mut self, ranks: u32) {
        let mut stopped = 0;
        self.until(|object| {
            if object["type"] == "stopped" {
                stopped += rankscope::model::ProcessSet::parse(object["ranks"].as_str().unwrap()).unwrap().len();
            }
            stopped >= ranks as usize
        });
    }

    /// Runs a command; returns the time from its line to its end.
    pub fn run(&mut self, command: &str) -> Duration {
        let start = Instant::now();
        self.child.stdin.as_mut().unwrap().write_all(format!("{command}\n").as_bytes()).unwrap();
        self.until(|object| object["type"] == "done" && object["command"] == command);
        start.elapsed()
    }

    /// The memory of the front end and its tree of processes, which have the session's name in their command lines; gdbs
    /// of ranks included.
    pub fn memory(&self) -> u64 {
        let servers = std::fs::read_dir("/proc").unwrap().flatten().filter_map(|entry| {
            let pid: u32 = entry.file_name().to_str()?.parse().ok()?;
            let name = |pid: u32| std::fs::read_to_string(format!("/proc/{pid}/comm")).ok();
            let line = |pid: u32| std::fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
            let of_session = |pid: u32| String::from_utf8_lossy(&line(pid)).contains(&self.name);
            let is_server =
                |pid: u32| name(pid).is_some_and(|name| name.trim().starts_with("rankscope-sdm")) && of_session(pid);
            let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
            let parent: u32 = stat.rsplit_once(") ")?.1.split(' ').nth(1)?.parse().ok()?;
            let is_its_gdb = name(pid)?.trim() == "gdb" && is_server(parent);
            (is_server(pid) || is_its_gdb).then_some(pid)
        });
        servers.map(memory_kib).sum::<u64>() + memory_kib(self.child.id())
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        drop(self.child.stdin.take());
        let _ = self.child.wait();
    }
}
