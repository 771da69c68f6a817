//! The evidence of a cause: the signal, and the stopped thread that received it.

use super::explain::{cause, with_name};
use super::fatal_signal::FatalSignal;
use super::memory_map::MemoryMap;
use crate::native::inspect::inferior::Inferior;
use crate::native::inspect::snapshot::{Seen, Snapshot};
use crate::native::ptrace::Tid;
use expr::budget::Budget;
use model::{Caught, Cause, StopReason};
use nix::libc;

/// A snapshot of a thread that stopped for a fatal signal.
pub(in crate::native) struct Evidence {
    signal: FatalSignal,
    pid: Tid,
    snapshot: Snapshot,
}

impl Evidence {
    /// Returns the evidence for the cause of a stop; `None` unless it is for a fatal signal.
    pub(in crate::native) fn of(inferior: &mut Inferior, tid: Tid, reason: &StopReason) -> Option<Self> {
        let number = fatal(reason)?;
        Some(Self {
            signal: FatalSignal::of(tid, number),
            pid: inferior.process.pid(),
            snapshot: inferior.snapshot(tid),
        })
    }

    /// Looks for the cause.
    pub(in crate::native) fn look(&self) -> Seen<Option<Cause>> {
        let map = MemoryMap::of(self.pid);
        let found = match self.snapshot.look(&Budget::default(), |thread| cause(&self.signal, thread, &map)) {
            Seen::Whole(Some(found)) => found,
            seen => return seen,
        };
        match self.snapshot.look(&Budget::default(), |thread| with_name(&found, &self.signal, thread, &map)) {
            Seen::Whole(Some(named)) => Seen::Whole(Some(named)),
            Seen::Missing(images) => Seen::Missing(images),
            _ => Seen::Whole(Some(found)),
        }
    }
}

/// Returns the number of the signal that a stop is for, if its cause can be looked for.
fn fatal(reason: &StopReason) -> Option<i32> {
    let (StopReason::Signal(name) | StopReason::Caught(_, Caught::Signal(name))) = reason else { return None };
    name.number().filter(|number| matches!(*number, libc::SIGABRT | libc::SIGSEGV | libc::SIGBUS | libc::SIGFPE))
}
