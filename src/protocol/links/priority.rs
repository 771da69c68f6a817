//! The rules by which messages overtake each other on a link.

use model::ProcessSet;

/// The place of a message in a send queue.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Priority {
    /// In order.
    Ordinary,
    /// In order; an interrupt of one of these ranks must not overtake it.
    RunControl(ProcessSet),
    /// Overtakes everything but run control of the same ranks.
    Interrupt(ProcessSet),
    /// In order; neither an interrupt of these ranks nor a termination must overtake it.
    Detach(ProcessSet),
    /// Overtakes everything but messages that start, end or detach ranks.
    Terminate,
    /// In order, and no message overtakes it.
    Barrier,
}

impl Priority {
    /// True if the message may be written before an earlier one.
    pub fn passes(&self, earlier: &Self) -> bool {
        match (self, earlier) {
            (Self::Ordinary | Self::RunControl(_) | Self::Detach(_) | Self::Barrier, _)
            | (_, Self::Barrier | Self::Terminate)
            | (Self::Terminate, Self::Detach(_)) => false,
            (Self::Interrupt(ranks), Self::RunControl(others) | Self::Detach(others) | Self::Interrupt(others)) => {
                !ranks.meets(others)
            }
            (Self::Interrupt(_) | Self::Terminate, _) => true,
        }
    }
}
