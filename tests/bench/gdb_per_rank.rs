//! The baseline: one gdb per rank, all driven in parallel over GDB/MI, as the free debuggers for parallel programs do
//! it.

use super::figures::{Figures, memory_kib};
use std::{
    io::{BufRead, BufReader, Write},
    path::Path,
    process::{Child, ChildStdout, Command, Stdio},
    time::Instant,
};

struct Gdb {
    child: Child,
    output: BufReader<ChildStdout>,
}

impl Gdb {
    fn start(program: &Path) -> Self {
        let mut child = Command::new("gdb")
            .args(["-q", "-nx", "--interpreter=mi3", "--args"])
            .arg(program)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("gdb is needed for the peer's side");
        let output = BufReader::new(child.stdout.take().unwrap());
        Self { child, output }
    }

    fn tell(&mut self, text: &str) {
        self.child.stdin.as_mut().unwrap().write_all(text.as_bytes()).unwrap();
    }

    fn wait_for(&mut self, text: &str) {
        let mut line = Vec::new();
        loop {
            line.clear();
            assert!(self.output.read_until(b'\n', &mut line).unwrap() > 0, "gdb ended before it said {text}");
            if line.windows(text.len()).any(|part| part == text.as_bytes()) {
                return;
            }
        }
    }
}

impl Drop for Gdb {
    fn drop(&mut self) {
        let _ = self.child.stdin.as_mut().map(|input| input.write_all(b"kill\n-gdb-exit\n"));
        let _ = self.child.wait();
    }
}

fn all(gdbs: &mut [Gdb], command: &str, answer: &str) {
    gdbs.iter_mut().for_each(|gdb| gdb.tell(command));
    gdbs.iter_mut().for_each(|gdb| gdb.wait_for(answer));
}

/// Launches, queries and steps `ranks` copies.
pub fn measure(program: &Path, ranks: u32) -> Figures {
    let start = Instant::now();
    let mut gdbs: Vec<Gdb> = (0..ranks).map(|_| Gdb::start(program)).collect();
    gdbs.iter_mut().for_each(|gdb| gdb.wait_for("(gdb)"));
    all(&mut gdbs, "-break-insert main\n-exec-run\n", "*stopped");
    let launch = start.elapsed();
    let memory = gdbs.iter().map(|gdb| memory_kib(gdb.child.id())).sum();
    let asked = Instant::now();
    all(&mut gdbs, "-stack-list-frames\n", "^done,stack");
    let backtrace = asked.elapsed();
    let stepped = Instant::now();
    all(&mut gdbs, "-exec-next\n", "*stopped");
    Figures { launch, memory_kib: memory, backtrace, next: stepped.elapsed(), resume: None }
}
