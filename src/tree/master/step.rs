//! The batch step that a master stands in for if it was a `tvconnect`: the program's output is written here, too, and
//! our exit status is that of the program or its launcher.

use model::{Event, SIGNALS, Stream};
use std::io::{self, Write};
use std::sync::mpsc::{Receiver, SyncSender, channel, sync_channel};
use std::time::Duration;

/// Pieces of output that wait for a reader of our standard output; more are dropped, since ranks must not wait for it.
const MOST_WAITING: usize = 4096;
/// Time at the end to write what is left.
const PATIENCE: Duration = Duration::from_secs(5);
/// Exit status that a shell gives a program killed by SIGKILL, as for one that the debugger ended.
const KILLED: i32 = 128 + 9;

#[derive(Debug)]
pub(super) struct Step {
    words: SyncSender<(Stream, String)>,
    written: Receiver<()>,
    dropped: u64,
    launched: bool,
    status: Option<i32>,
}

impl Step {
    pub(super) fn new() -> io::Result<Self> {
        let (words, to_write) = sync_channel::<(Stream, String)>(MOST_WAITING);
        let (done, written) = channel();
        let write = move || {
            for (stream, text) in to_write {
                // A file that is full or closed is no reason to end a session.
                let _ = match stream {
                    Stream::Stdout => io::stdout().write_all(text.as_bytes()).and_then(|()| io::stdout().flush()),
                    Stream::Stderr => io::stderr().write_all(text.as_bytes()),
                };
            }
            let _ = done.send(());
        };
        std::thread::Builder::new().name("step-output".into()).stack_size(64 << 10).spawn(write)?;
        Ok(Self { words, written, dropped: 0, launched: false, status: None })
    }

    /// A job starts: the status of the one before does not count.
    pub(super) fn launched(&mut self) {
        self.launched = true;
        self.status = None;
    }

    /// Handles an event of the step's single process. The output of a launcher's ranks goes through the launcher.
    pub(super) fn process_reports(&mut self, event: &Event) {
        match event {
            Event::Output(stream, text) => {
                let dropped = self.words.try_send((*stream, text.clone())).is_err();
                self.dropped += u64::from(dropped);
            }
            Event::Exited(code) => self.status = Some(*code),
            Event::Killed(termination) => {
                let number = SIGNALS.iter().find(|row| row.1 == &*termination.signal.0).map_or(0, |row| row.0);
                self.status = Some(128 + number);
            }
            Event::Failed(_) | Event::Lost(_) => self.status = self.status.or(Some(1)),
            // It continues without us, and nobody will report how it ends.
            Event::Detached => self.status = Some(0),
            _ => {}
        }
    }

    /// Records the launcher's exit status.
    pub(super) fn launcher_ended(&mut self, code: i32) {
        self.status = Some(code);
    }

    /// The ranks are detached: their end does not set our status.
    pub(super) fn let_go(&mut self) {
        self.status = self.status.or(Some(0));
    }

    /// Waits until all output is written; returns the exit status.
    pub(super) fn finish(self) -> i32 {
        if self.dropped > 0 {
            tracing::warn!("dropped {} pieces of output: nothing reads standard output", self.dropped);
        }
        drop(self.words);
        if self.written.recv_timeout(PATIENCE).is_err() {
            tracing::warn!("dropped the end of the output: nothing reads standard output");
        }
        self.status.unwrap_or(if self.launched { KILLED } else { 0 })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use model::SignalName;

    #[test]
    fn a_step_ends_as_its_program_did() {
        let after = |events: &[Event]| {
            let mut step = Step::new().unwrap();
            step.launched();
            events.iter().for_each(|event| step.process_reports(event));
            step.finish()
        };
        assert_eq!(Step::new().unwrap().finish(), 0, "nothing was started");
        assert_eq!(after(&[Event::Running]), 137, "the debugger ended it");
        assert_eq!(after(&[Event::Exited(3)]), 3);
        assert_eq!(after(&[Event::Killed(SignalName::parse("SIGSEGV").unwrap().into())]), 139);
        assert_eq!(after(&[Event::Failed("no such file".into())]), 1);
        assert_eq!(after(&[Event::Detached]), 0);
        let mut job = Step::new().unwrap();
        job.launched();
        job.launcher_ended(7);
        assert_eq!(job.finish(), 7);
    }
}
