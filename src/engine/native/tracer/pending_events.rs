//! What threads did that waits: until they go on after a moment's stop, or until debug information has been read.

use super::phase::{Halt, Phase};
use crate::native::ptrace::{Observation, Tid};

/// What threads of a rank did that is to be dealt with later.
#[derive(Debug, Default)]
pub(in crate::native) struct PendingEvents {
    /// While threads were being stopped for a moment.
    held: Vec<(Tid, Observation)>,
    /// What needs debug information that is being read; the threads wait with it.
    put_off: Vec<(Tid, Observation)>,
}

impl PendingEvents {
    /// While threads are stopped for a moment, what they did waits until they go on.
    pub(in crate::native) fn hold_back(
        &mut self,
        phase: &Phase,
        tid: Tid,
        observation: Observation,
    ) -> Option<Observation> {
        let waits = matches!(
            observation,
            Observation::Breakpoint(_) | Observation::Stepped | Observation::Signal(_) | Observation::Watched { .. }
        );
        if waits && matches!(phase, Phase::Halting(Halt::Pause | Halt::Follow)) {
            self.hold(tid, observation);
            return None;
        }
        Some(observation)
    }

    pub(in crate::native) fn hold(&mut self, tid: Tid, observation: Observation) {
        self.held.push((tid, observation));
    }

    /// The threads go on: what they did meanwhile.
    pub(in crate::native) fn take_held(&mut self) -> Vec<(Tid, Observation)> {
        std::mem::take(&mut self.held)
    }

    /// Until [`PendingEvents::take_up`].
    pub(in crate::native) fn put_off(&mut self, tid: Tid, observation: Observation) {
        self.put_off.push((tid, observation));
    }

    /// What was put off of a thread, unless it has been dealt with already.
    pub(in crate::native) fn take_up(&mut self, tid: Tid) -> Option<Observation> {
        let at = self.put_off.iter().position(|(other, _)| *other == tid)?;
        Some(self.put_off.remove(at).1)
    }

    /// All that was put off.
    pub(in crate::native) fn take_put_off(&mut self) -> Vec<(Tid, Observation)> {
        std::mem::take(&mut self.put_off)
    }

    pub(in crate::native) fn clear(&mut self) {
        *self = Self::default();
    }
}
