//! Stops and ends of ranks for which commands are to run. Those that happen together are collected, so that the commands
//! run once for them.

use crate::command::Statement;
use model::{BreakpointId, ProcessSet};
use std::time::{Duration, Instant};

/// The time in which others may join the first rank.
const TOGETHER: Duration = Duration::from_millis(50);

/// The reason for commands to run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::core) enum Cause {
    /// A stop; holds the breakpoint if it has commands.
    Stop(Option<BreakpointId>),
    /// An exit, or a death by a signal.
    Exit,
}

/// Ranks for which commands are to run.
#[derive(Clone, Debug)]
pub(in crate::core) struct Collected {
    pub(in crate::core) cause: Cause,
    pub(in crate::core) ranks: ProcessSet,
    /// The commands: a temporary breakpoint may be gone when they run.
    pub(in crate::core) lines: Vec<Statement>,
    pub(in crate::core) silent: bool,
    due: Instant,
}

/// The ranks collected, and those that are being continued without reports.
#[derive(Debug, Default)]
pub(in crate::core) struct Occasions {
    collected: Vec<Collected>,
    quiet: ProcessSet,
}

impl Occasions {
    /// Adds ranks; they join others with the same cause.
    pub(in crate::core) fn add(
        &mut self,
        cause: Cause,
        ranks: &ProcessSet,
        lines: Vec<Statement>,
        silent: bool,
        now: Instant,
    ) {
        match self.collected.iter_mut().find(|known| known.cause == cause) {
            Some(known) => known.ranks.extend_with(ranks),
            None => self.collected.push(Collected { cause, ranks: ranks.clone(), lines, silent, due: now + TOGETHER }),
        }
    }

    /// Takes those whose time has come, and those that no rank can join any more.
    pub(in crate::core) fn take_due(&mut self, now: Instant, running: &ProcessSet) -> Vec<Collected> {
        let all = std::mem::take(&mut self.collected);
        let (due, later) = all.into_iter().partition(|one| one.due <= now || running.is_empty());
        self.collected = later;
        due
    }

    /// Returns the ranks that have stopped and whose commands have not begun.
    pub(in crate::core) fn stopped(&self) -> ProcessSet {
        let stops = self.collected.iter().filter(|one| matches!(one.cause, Cause::Stop(_)));
        stops.fold(ProcessSet::new(), |sum, one| sum.union(&one.ranks))
    }

    /// Returns the time at which the next commands begin.
    pub(in crate::core) fn deadline(&self) -> Option<Instant> {
        self.collected.iter().map(|one| one.due).min()
    }

    /// Records ranks whose next report that they run is suppressed.
    pub(in crate::core) fn continue_quietly(&mut self, ranks: &ProcessSet) {
        self.quiet.extend_with(ranks);
    }

    /// Splits off the ranks that report that they run, and need not.
    pub(in crate::core) fn loud(&mut self, ranks: &ProcessSet) -> ProcessSet {
        let loud = ranks.difference(&self.quiet);
        self.quiet.remove_all(ranks);
        loud
    }

    /// Drops everything, with the session.
    pub(in crate::core) fn forget(&mut self) {
        *self = Self::default();
    }
}
