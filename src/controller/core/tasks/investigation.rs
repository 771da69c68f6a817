//! The state of a `why` between its requests.

use crate::why::{CallValues, Doing, Place};
use model::{ProcessSet, ThreadId};
use std::sync::Arc;

/// An unfinished answer.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::core) struct Investigation {
    /// The ranks of the question; those for whom they may wait are looked at, too.
    pub(in crate::core) asked: ProcessSet,
    pub(in crate::core) thread: Option<ThreadId>,
    pub(in crate::core) next: Step,
}

#[derive(Clone, Debug, PartialEq)]
pub(in crate::core) enum Step {
    Stacks,
    /// Reads these files.
    Texts(Vec<Stay>, Vec<Arc<str>>),
    /// Reads these.
    Values(Vec<Stay>, Vec<Wanted>),
}

/// The questions to ranks.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::core) enum Wanted {
    /// The value of an expression, for a stay.
    Value(usize, String),
    /// Memory or registers, for the fingerprint.
    Fingerprint,
}

/// Ranks with the same stack.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::core) struct Stay {
    pub(in crate::core) ranks: ProcessSet,
    pub(in crate::core) place: Place,
    pub(in crate::core) at: At,
}

#[derive(Clone, Debug, PartialEq)]
pub(in crate::core) enum At {
    /// In a call of MPI, whose caller is the frame of this level.
    Call(CallValues, u32),
    /// Anywhere else.
    Other(Doing),
}
