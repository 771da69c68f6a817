//! What may overtake what on a link.

use model::ProcessSet;

/// Where a message belongs in a queue of messages that wait to be written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Priority {
    /// In its turn.
    Ordinary,
    /// In its turn; an interrupt of one of these ranks must not pass it.
    RunControl(ProcessSet),
    /// Before everything but run control of the same ranks.
    Interrupt(ProcessSet),
    /// Before everything but what makes or ends ranks.
    Terminate,
    /// In its turn, and nothing passes it.
    Barrier,
}

impl Priority {
    /// Whether it may be written before something that was queued earlier.
    pub fn passes(&self, earlier: &Self) -> bool {
        match (self, earlier) {
            (Self::Ordinary | Self::RunControl(_) | Self::Barrier, _) | (_, Self::Barrier | Self::Terminate) => false,
            (Self::Interrupt(ranks), Self::RunControl(others) | Self::Interrupt(others)) => !ranks.meets(others),
            (Self::Interrupt(_) | Self::Terminate, _) => true,
        }
    }
}
