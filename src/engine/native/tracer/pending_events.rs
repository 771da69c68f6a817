//! Thread events that wait: until a brief pause is over, or until debug information has been read.

use super::phase::{Halt, Phase};
use crate::native::ptrace::{Observation, Tid};

/// Events of a rank's threads that are handled later.
#[derive(Debug, Default)]
pub(in crate::native) struct PendingEvents {
    /// Events from while the threads were being paused.
    held: Vec<(Tid, Observation)>,
    /// Events that need debug information that is being read; their threads stay stopped.
    put_off: Vec<(Tid, Observation)>,
}

impl PendingEvents {
    /// Keeps an event while the threads are being paused; returns it otherwise.
    pub(in crate::native) fn hold_back(
        &mut self,
        phase: &Phase,
        tid: Tid,
        observation: Observation,
    ) -> Option<Observation> {
        let waits = matches!(
            observation,
            Observation::Breakpoint(_)
                | Observation::Stepped
                | Observation::Signal(_)
                | Observation::FloatTrap(_)
                | Observation::Call(_)
                | Observation::Watched { .. }
        );
        if waits && matches!(phase, Phase::Halting(Halt::Pause | Halt::Look | Halt::Follow)) {
            self.hold(tid, observation);
            return None;
        }
        Some(observation)
    }

    pub(in crate::native) fn hold(&mut self, tid: Tid, observation: Observation) {
        self.held.push((tid, observation));
    }

    /// Takes the events from a pause, for when the threads resume.
    pub(in crate::native) fn take_held(&mut self) -> Vec<(Tid, Observation)> {
        std::mem::take(&mut self.held)
    }

    /// Keeps an event until [`PendingEvents::take_up`].
    pub(in crate::native) fn put_off(&mut self, tid: Tid, observation: Observation) {
        self.put_off.push((tid, observation));
    }

    /// Takes the event of a thread that was put off; `None` if it has been handled already.
    pub(in crate::native) fn take_up(&mut self, tid: Tid) -> Option<Observation> {
        let at = self.put_off.iter().position(|(other, _)| *other == tid)?;
        Some(self.put_off.remove(at).1)
    }

    pub(in crate::native) fn take_put_off(&mut self) -> Vec<(Tid, Observation)> {
        std::mem::take(&mut self.put_off)
    }

    pub(in crate::native) fn clear(&mut self) {
        *self = Self::default();
    }
}
