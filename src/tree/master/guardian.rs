//! Ends the launcher when the master is killed. Its ranks end with their servers; but a launcher that still queues has
//! none, and would start them hours later for nobody.

use nix::unistd::Pid;
use std::io::{self, Write};
use std::os::unix::process::CommandExt;
use std::process::{ChildStdin, Command, Stdio};

/// Reads a word, or the end of its input, which comes without a word if the process at the other end is killed.
const SCRIPT: &str = "IFS= read -r word || kill -TERM \"$0\"";

/// A shell that waits for our end.
#[derive(Debug)]
pub(super) struct Guardian {
    word: Option<ChildStdin>,
}

impl Guardian {
    /// From now on the process gets SIGTERM when we are killed.
    pub(super) fn of(launcher: Pid) -> io::Result<Self> {
        let mut command = Command::new("/bin/sh");
        command.args(["-c", SCRIPT, &launcher.to_string()]).current_dir("/").process_group(0);
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null()).spawn()?;
        let word = child.stdin.take();
        let reap = move || {
            if let Err(error) = child.wait() {
                tracing::error!("cannot wait for the launcher's guardian: {error}");
            }
        };
        std::thread::Builder::new().name("reaper".into()).stack_size(64 << 10).spawn(reap)?;
        Ok(Self { word })
    }
}

impl Drop for Guardian {
    /// Sends the word: the launcher's fate has been decided in order.
    fn drop(&mut self) {
        if let Some(mut word) = self.word.take()
            && let Err(error) = word.write_all(b"over\n")
        {
            tracing::warn!("cannot write to the launcher's guardian: {error}");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::Child;

    fn sleeper() -> (Child, Pid) {
        let child = Command::new("sleep").arg("1000").spawn().unwrap();
        let pid = Pid::from_raw(child.id() as i32);
        (child, pid)
    }

    #[test]
    fn it_acts_when_nothing_was_said() {
        let (mut child, pid) = sleeper();
        let mut guardian = Guardian::of(pid).unwrap();
        // The kernel does the same for a killed process.
        drop(guardian.word.take());
        assert_eq!(std::os::unix::process::ExitStatusExt::signal(&child.wait().unwrap()), Some(15));
    }

    #[test]
    fn it_leaves_the_launcher_alone_when_all_is_over() {
        let (mut child, pid) = sleeper();
        let mut shell = Command::new("/bin/sh");
        shell.args(["-c", SCRIPT, &pid.to_string()]).stdin(Stdio::piped());
        let mut shell = shell.spawn().unwrap();
        let guardian = Guardian { word: shell.stdin.take() };
        drop(guardian);
        assert!(shell.wait().unwrap().success());
        assert_eq!(child.try_wait().unwrap(), None);
        child.kill().unwrap();
        child.wait().unwrap();
    }
}
