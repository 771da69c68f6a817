//! Rankscope's side: the real front end, driven through `--batch -` and its JSON lines; times are taken as a user sees
//! them.

use super::{Figures, memory_kib};
use std::{
    io::{BufRead, BufReader, Write},
    path::Path,
    process::{Child, ChildStdout, Command, Stdio},
    time::{Duration, Instant},
};

struct Session {
    /// The session's name, for `resume`.
    name: String,
    child: Child,
    output: BufReader<ChildStdout>,
}

impl Session {
    fn start(engine: &str, program: &Path, launcher: Option<&str>, ranks: u32) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_rankscope"));
        command.args(["run", "--engine", engine, "--json", "--batch", "-"]);
        match launcher {
            None => command.args(["-n", &ranks.to_string(), "--"]).arg(program),
            Some(mpirun) => command
                .args(["--", mpirun, "--oversubscribe", "-n", &ranks.to_string()])
                .arg(program)
                .env("OMPI_ALLOW_RUN_AS_ROOT", "1")
                .env("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1"),
        };
        let mut session = Self::spawn(&mut command, String::new());
        let mut name = String::new();
        session.until(|object| {
            object["session"].as_str().unwrap_or_default().clone_into(&mut name);
            object["type"] == "session"
        });
        session.name = name;
        session
    }

    fn spawn(command: &mut Command, name: String) -> Self {
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let output = BufReader::new(child.stdout.take().unwrap());
        Self { name, child, output }
    }

    /// Kills the front end and starts another one; returns the time from its start until it has shown the state of all
    /// ranks.
    fn resume(&mut self) -> Duration {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
        let start = Instant::now();
        let mut command = Command::new(env!("CARGO_BIN_EXE_rankscope"));
        command.args(["resume", "--json", "--batch", "-", &self.name]);
        let mut later = Self::spawn(&mut command, std::mem::take(&mut self.name));
        later.until(|object| object["type"] == "status");
        // `later` is now the killed front end, and is dropped.
        std::mem::swap(self, &mut later);
        start.elapsed()
    }

    fn until(&mut self, mut wanted: impl FnMut(&serde_json::Value) -> bool) {
        let mut line = String::new();
        loop {
            line.clear();
            assert!(self.output.read_line(&mut line).unwrap() > 0, "rankscope ended early");
            let object: serde_json::Value = serde_json::from_str(&line).unwrap();
            assert!(object["type"] != "error", "{line}");
            if wanted(&object) {
                return;
            }
        }
    }

    fn run(&mut self, command: &str) -> Duration {
        let start = Instant::now();
        self.child.stdin.as_mut().unwrap().write_all(format!("{command}\n").as_bytes()).unwrap();
        self.until(|object| object["type"] == "done" && object["command"] == command);
        start.elapsed()
    }

    /// The memory of the front end and its tree of processes, which their parents and names identify; gdbs of ranks
    /// included.
    fn memory(&self) -> u64 {
        let servers = std::fs::read_dir("/proc").unwrap().flatten().filter_map(|entry| {
            let pid: u32 = entry.file_name().to_str()?.parse().ok()?;
            let name = |pid: u32| std::fs::read_to_string(format!("/proc/{pid}/comm")).ok();
            let is_server = |pid: u32| name(pid).is_some_and(|name| name.trim().starts_with("rankscope-sdm"));
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

/// Launches, queries and steps `ranks` copies.
pub fn measure(engine: &str, program: &Path, launcher: Option<&str>, ranks: u32) -> Figures {
    let start = Instant::now();
    let mut session = Session::start(engine, program, launcher, ranks);
    let mut stopped = 0;
    session.until(|object| {
        if object["type"] == "stopped" {
            let set = rankscope::model::ProcessSet::parse(object["ranks"].as_str().unwrap()).unwrap();
            stopped += set.len();
        }
        stopped >= ranks as usize
    });
    let launch = start.elapsed();
    let memory = session.memory();
    let backtrace = session.run("where");
    let start = Instant::now();
    session.run("next");
    session.run("wait");
    let next = start.elapsed();
    let resume = session.resume();
    session.run("quit");
    Figures { launch, memory_kib: memory, backtrace, next, resume: Some(resume) }
}
