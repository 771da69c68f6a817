//! The state of the search for the cause of a stop.

use model::Cause;

/// The search for the cause of the stop that is being completed.
#[derive(Debug, Default)]
pub(in crate::native) enum Explanation {
    #[default]
    Unsought,
    Sought,
    /// Holds the cause, if one was found.
    Done(Option<Box<Cause>>),
}

impl Explanation {
    /// Ends the search and returns the cause.
    pub(super) fn take(&mut self) -> Option<Box<Cause>> {
        match std::mem::take(self) {
            Self::Done(cause) => cause,
            Self::Unsought | Self::Sought => None,
        }
    }
}
