//! The parts of a simulated rank that an answer is made from.

use std::cell::Cell;

/// The parts of a rank that an answer was made from, beside the program and the rank's threads.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct PartsUsed {
    pub(super) globals: bool,
    pub(super) heap: bool,
    /// The rank's memory was changed.
    pub(super) changed: bool,
}

/// Notes the parts of a rank's memory that are used.
#[derive(Clone, Debug, Default)]
pub(in crate::fake) struct Used(Cell<PartsUsed>);

impl Used {
    /// Returns what was used since this was last asked.
    pub(super) fn take(&self) -> PartsUsed {
        self.0.take()
    }

    pub(super) fn note_globals(&self) {
        self.0.set(PartsUsed { globals: true, ..self.0.get() });
    }

    pub(super) fn note_heap(&self) {
        self.0.set(PartsUsed { heap: true, ..self.0.get() });
    }

    pub(super) fn note_change(&self) {
        self.0.set(PartsUsed { changed: true, ..self.0.get() });
    }
}
