//! Who brought a job down: one rank fails, and the launcher ends the others.

use model::{Event, ProcessSet, SignalName, StopReason};

/// What was seen of the end of ranks, in the order in which it came.
#[derive(Clone, Debug, Default)]
pub struct Downfall {
    /// Ranks that failed by themselves: they raised a signal, or exited with a code that says so.
    failed: ProcessSet,
    /// Ranks that exited with code 0 by themselves.
    finished: ProcessSet,
    /// Those that were killed while nobody had ended otherwise.
    first_killed: ProcessSet,
    /// Ranks that were told to end by others: what they do then is no failure of theirs.
    told: ProcessSet,
    /// Those of them that stopped by that.
    stopped: ProcessSet,
    /// Ranks that were continued from outside: some launchers do that before they end them.
    continued: ProcessSet,
}

impl Downfall {
    /// Takes in what ranks report.
    pub fn saw(&mut self, ranks: &ProcessSet, event: &Event) {
        match event {
            Event::Exited(0) => self.finished.extend_with(&ranks.difference(&self.told)),
            Event::Exited(_) => self.failed.extend_with(&ranks.difference(&self.told)),
            Event::Killed(name) if is_sent(name) => {
                if self.failed.is_empty() && self.finished.is_empty() && self.told.is_empty() {
                    self.first_killed = ranks.clone();
                }
                self.told.extend_with(ranks);
            }
            Event::Killed(_) => self.failed.extend_with(&ranks.difference(&self.told)),
            Event::Stopped(stop) => match &stop.reason {
                StopReason::Signal(name) if is_sent(name) => {
                    self.told.extend_with(ranks);
                    self.stopped.extend_with(ranks);
                }
                StopReason::Signal(name) if is_raised(name) => self.failed.extend_with(&ranks.difference(&self.told)),
                StopReason::Signal(name) if &*name.0 == "SIGCONT" => self.continued.extend_with(ranks),
                _ => {}
            },
            _ => {}
        }
    }

    /// The ranks that began it, once others are being ended for it; empty as long as there is nothing to explain.
    pub fn began_it(&self) -> ProcessSet {
        let others = |ended: &ProcessSet, began: &ProcessSet| !began.is_empty() && !ended.is_subset(began);
        if others(&self.told, &self.failed) || others(&self.continued, &self.failed) {
            self.failed.clone()
        } else if others(&self.stopped, &self.finished) {
            self.finished.clone()
        } else if others(&self.stopped, &self.first_killed) {
            self.first_killed.clone()
        } else {
            ProcessSet::new()
        }
    }
}

/// Signals that one process sends to end another.
fn is_sent(name: &SignalName) -> bool {
    matches!(&*name.0, "SIGTERM" | "SIGKILL" | "SIGHUP" | "SIGINT" | "SIGQUIT")
}

/// Signals that a process brings on itself.
fn is_raised(name: &SignalName) -> bool {
    const RAISED: [&str; 9] =
        ["SIGSEGV", "SIGABRT", "SIGBUS", "SIGFPE", "SIGILL", "SIGSYS", "SIGPIPE", "SIGXCPU", "SIGXFSZ"];
    RAISED.contains(&&*name.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use model::{CodePlace, Frame, Stop, ThreadId};

    fn by(name: &str) -> Event {
        let code = CodePlace { module: None, offset: 64, address: None };
        let frame =
            Frame { level: 0, function: None, source: None, code, inlined: false, guessed: false, thread: None };
        let reason = StopReason::Signal(SignalName(name.into()));
        Event::Stopped(Stop { reason, thread: ThreadId(1), frame, note: None })
    }

    fn killed(name: &str) -> Event {
        Event::Killed(SignalName(name.into()))
    }

    /// Who began it, after each of these.
    fn after(events: &[(&str, Event)]) -> String {
        let mut downfall = Downfall::default();
        for (ranks, event) in events {
            downfall.saw(&ProcessSet::parse(ranks).unwrap(), event);
        }
        downfall.began_it().to_string()
    }

    #[test]
    fn who_exited_or_raised_a_signal_began_it_and_not_who_was_ended_for_it() {
        // As Open MPI ends the others.
        let ended = [("0-1,3-5", by("SIGCONT")), ("0-1,3-5", by("SIGTERM")), ("0-1,3-5", killed("SIGTERM"))];
        for first in [Event::Exited(7), by("SIGSEGV"), killed("SIGABRT")] {
            for seen in 1..=ended.len() {
                let events = [&[("2", first.clone())], &ended[..seen]].concat();
                assert_eq!(after(&events), "2", "{events:?}");
            }
        }
        assert_eq!(after(&[("2", Event::Exited(0)), ("0-1,3", by("SIGTERM"))]), "2");
        assert_eq!(after(&[("2", killed("SIGKILL")), ("0-1,3", by("SIGTERM"))]), "2");
        // It raises SIGCONT on everybody before the rank that called MPI_Abort exits.
        assert_eq!(after(&[("0-3", by("SIGCONT")), ("2", Event::Exited(3)), ("0-1,3", by("SIGTERM"))]), "2");
        // As MPICH does.
        assert_eq!(after(&[("2", Event::Exited(7)), ("5", killed("SIGKILL")), ("0-1,3-4", killed("SIGKILL"))]), "2");
    }

    #[test]
    fn without_others_that_are_ended_nobody_is_to_blame() {
        assert_eq!(after(&[("0-3", Event::Exited(0))]), "");
        assert_eq!(after(&[("2", Event::Exited(1)), ("0-1,3", Event::Exited(0))]), "");
        assert_eq!(after(&[("2", by("SIGSEGV"))]), "");
        assert_eq!(after(&[("0-3", by("SIGTERM"))]), "");
        assert_eq!(after(&[("0-3", by("SIGTERM")), ("0-3", Event::Exited(1))]), "");
        // The user's kill, server after server.
        assert_eq!(after(&[("0-1", killed("SIGKILL")), ("2-3", killed("SIGKILL"))]), "");
        assert_eq!(after(&[("0", Event::Exited(0)), ("1-3", killed("SIGKILL"))]), "");
    }
}
