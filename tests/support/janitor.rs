//! Cleans up when a test is over, also if its process is killed in the middle.

use std::os::unix::process::CommandExt;
use std::process::{Child, Command, Stdio};

/// A shell that waits for our end: the pipe from us closes when we end, in whatever way.
pub struct Janitor(Child);

impl Janitor {
    /// `script` is run once, at the end.
    #[track_caller]
    pub fn new(script: &str) -> Self {
        // Keys that stop the tests signal their process group, and must not end this shell.
        let text = format!("trap '' INT TERM HUP; cat >/dev/null; exec 2>/dev/null; {script}");
        let mut command = Command::new("sh");
        command.args(["-c", &text]).stdin(Stdio::piped()).stdout(Stdio::null()).process_group(0);
        Self(command.spawn().unwrap())
    }
}

impl Drop for Janitor {
    fn drop(&mut self) {
        drop(self.0.stdin.take());
        let _ = self.0.wait();
    }
}
