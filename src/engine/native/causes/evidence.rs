//! The evidence of a cause: the signal or the reported error, and the stopped thread.

use super::reported_error;
use crate::causes::explain::{cause, signal_of, with_name};
use crate::causes::fatal_signal::FatalSignal;
use crate::causes::memory_map::MemoryMap;
use crate::native::errors::error_call::ErrorCall;
use crate::native::inspect::inferior::Inferior;
use crate::native::inspect::snapshot::{Seen, Snapshot};
use crate::native::ptrace::{Tid, signal_bytes};
use expr::budget::Budget;
use model::{Cause, StopReason};

/// A snapshot of a thread that stopped for a fatal signal or a reported error.
pub(in crate::native) struct Evidence {
    occasion: Occasion,
    pid: Tid,
    snapshot: Snapshot,
}

enum Occasion {
    Signal(FatalSignal),
    Error(ErrorCall),
}

impl Evidence {
    /// Returns the evidence for the cause of a stop; `None` unless it is for a fatal signal.
    pub(in crate::native) fn of_signal(inferior: &mut Inferior, tid: Tid, reason: &StopReason) -> Option<Self> {
        let number = signal_of(reason)?;
        let information = signal_bytes(tid).unwrap_or_default();
        let signal = FatalSignal::with_information(number, &information);
        Some(Self::of(inferior, tid, Occasion::Signal(signal)))
    }

    /// Returns the evidence for an error that a thread is about to report by this function.
    pub(in crate::native) fn of_error(inferior: &mut Inferior, tid: Tid, call: ErrorCall) -> Self {
        Self::of(inferior, tid, Occasion::Error(call))
    }

    fn of(inferior: &mut Inferior, tid: Tid, occasion: Occasion) -> Self {
        Self { occasion, pid: inferior.process.pid(), snapshot: inferior.snapshot(tid) }
    }

    /// Looks for the cause.
    pub(in crate::native) fn look(&self) -> Seen<Option<Cause>> {
        match &self.occasion {
            Occasion::Signal(signal) => self.look_at_signal(signal),
            Occasion::Error(call) => {
                self.snapshot.look(&Budget::default(), |thread| reported_error::cause(*call, thread))
            }
        }
    }

    fn look_at_signal(&self, signal: &FatalSignal) -> Seen<Option<Cause>> {
        let map = MemoryMap::of(self.pid);
        let found = match self.snapshot.look(&Budget::default(), |thread| cause(signal, thread, &map)) {
            Seen::Whole(Some(found)) => found,
            seen => return seen,
        };
        match self.snapshot.look(&Budget::default(), |thread| with_name(&found, signal, thread, &map)) {
            Seen::Whole(Some(named)) => Seen::Whole(Some(named)),
            Seen::Missing(images) => Seen::Missing(images),
            _ => Seen::Whole(Some(found)),
        }
    }
}
