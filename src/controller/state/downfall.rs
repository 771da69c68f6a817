//! Finds the rank that brought a job down: one rank fails, and the launcher kills the others.

use model::{CauseKind, Event, ProcessSet, SignalName, Stop, StopReason};

/// The ends of ranks, in the order in which they were reported.
#[derive(Clone, Debug, Default)]
pub struct Downfall {
    /// Ranks that failed by themselves: they raised a signal, or exited with another code than 0.
    failed: ProcessSet,
    /// Ranks that exited with code 0 by themselves.
    finished: ProcessSet,
    /// Ranks that were killed before any rank ended in another way.
    first_killed: ProcessSet,
    /// Ranks that were sent a signal to end: their end is no failure of theirs.
    told: ProcessSet,
    /// Those of them that stopped with that signal.
    stopped: ProcessSet,
    /// Ranks that were sent SIGCONT: some launchers do that before they kill ranks.
    continued: ProcessSet,
}

impl Downfall {
    /// Records an event of ranks.
    pub fn saw(&mut self, ranks: &ProcessSet, event: &Event) {
        match event {
            Event::Exited(0) => self.finished.extend_with(&ranks.difference(&self.told)),
            Event::Exited(_) => self.failed.extend_with(&ranks.difference(&self.told)),
            Event::Killed(termination) if is_sent(&termination.signal) => {
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
                StopReason::Error if ends_job(stop) => self.failed.extend_with(&ranks.difference(&self.told)),
                StopReason::Signal(name) if &*name.0 == "SIGCONT" => self.continued.extend_with(ranks),
                _ => {}
            },
            _ => {}
        }
    }

    /// Returns the ranks that failed first once others are being killed for it; empty as long as there is nothing to
    /// explain.
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

/// True if the error that a rank has stopped for ends the job. A program may survive the report of a sanitizer.
fn ends_job(stop: &Stop) -> bool {
    stop.cause.as_ref().is_some_and(|cause| cause.kind != CauseKind::Sanitizer)
}

/// True for signals that one process sends to end another.
fn is_sent(name: &SignalName) -> bool {
    matches!(&*name.0, "SIGTERM" | "SIGKILL" | "SIGHUP" | "SIGINT" | "SIGQUIT")
}

/// True for signals that a process raises by itself.
fn is_raised(name: &SignalName) -> bool {
    const RAISED: [&str; 9] =
        ["SIGSEGV", "SIGABRT", "SIGBUS", "SIGFPE", "SIGILL", "SIGSYS", "SIGPIPE", "SIGXCPU", "SIGXFSZ"];
    RAISED.contains(&&*name.0) || name.is_of_gpu()
}

#[cfg(test)]
mod tests {
    use super::*;
    use model::{Cause, CodePlace, Frame, ThreadId};

    fn by(name: &str) -> Event {
        Event::Stopped(stop(StopReason::Signal(SignalName(name.into())), None))
    }

    fn reported(kind: CauseKind) -> Event {
        let cause = Cause { kind, text: "words".to_owned(), source: None };
        Event::Stopped(stop(StopReason::Error, Some(Box::new(cause))))
    }

    fn stop(reason: StopReason, cause: Option<Box<Cause>>) -> Stop {
        let code = CodePlace { module: None, offset: 64, address: None };
        let frame =
            Frame { level: 0, function: None, source: None, code, inlined: false, guessed: false, thread: None };
        Stop { reason, thread: ThreadId(1), frame, note: None, cause, user: None }
    }

    fn killed(name: &str) -> Event {
        Event::Killed(SignalName(name.into()).into())
    }

    /// Returns the culprits after these events.
    fn after(events: &[(&str, Event)]) -> String {
        let mut downfall = Downfall::default();
        for (ranks, event) in events {
            downfall.saw(&ProcessSet::parse(ranks).unwrap(), event);
        }
        downfall.began_it().to_string()
    }

    #[test]
    fn who_exited_or_raised_a_signal_began_it_and_not_who_was_ended_for_it() {
        // Open MPI kills the others this way.
        let ended = [("0-1,3-5", by("SIGCONT")), ("0-1,3-5", by("SIGTERM")), ("0-1,3-5", killed("SIGTERM"))];
        for first in [Event::Exited(7), by("SIGSEGV"), killed("SIGABRT"), reported(CauseKind::MpiAbort)] {
            for seen in 1..=ended.len() {
                let events = [&[("2", first.clone())], &ended[..seen]].concat();
                assert_eq!(after(&events), "2", "{events:?}");
            }
        }
        assert_eq!(after(&[("2", Event::Exited(0)), ("0-1,3", by("SIGTERM"))]), "2");
        assert_eq!(after(&[("2", killed("SIGKILL")), ("0-1,3", by("SIGTERM"))]), "2");
        // It sends SIGCONT to all before the rank that called `MPI_Abort` exits.
        assert_eq!(after(&[("0-3", by("SIGCONT")), ("2", Event::Exited(3)), ("0-1,3", by("SIGTERM"))]), "2");
        // MPICH kills the others this way.
        assert_eq!(after(&[("2", Event::Exited(7)), ("5", killed("SIGKILL")), ("0-1,3-4", killed("SIGKILL"))]), "2");
    }

    #[test]
    fn without_others_that_are_ended_nobody_is_to_blame() {
        assert_eq!(after(&[("0-3", Event::Exited(0))]), "");
        assert_eq!(after(&[("2", Event::Exited(1)), ("0-1,3", Event::Exited(0))]), "");
        assert_eq!(after(&[("2", by("SIGSEGV"))]), "");
        assert_eq!(after(&[("2", reported(CauseKind::Sanitizer)), ("0-1,3", by("SIGTERM"))]), "");
        assert_eq!(after(&[("0-3", by("SIGTERM"))]), "");
        assert_eq!(after(&[("0-3", by("SIGTERM")), ("0-3", Event::Exited(1))]), "");
        // The user kills the ranks, server after server.
        assert_eq!(after(&[("0-1", killed("SIGKILL")), ("2-3", killed("SIGKILL"))]), "");
        assert_eq!(after(&[("0", Event::Exited(0)), ("1-3", killed("SIGKILL"))]), "");
    }
}
