//! A snapshot that is being taken: what is known of it between its requests.

use crate::state::Snapshot;

/// The use of the values that are read.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::core) enum Purpose {
    Keep,
    /// Compares them with those of this snapshot.
    Compare(Box<Snapshot>),
}

/// The requests that are open.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::core) enum Stage {
    /// The frames of the ranks.
    Places,
    /// The names of the variables in the frames, of one rank for each: by slot, the index of the place.
    Names(Vec<usize>),
    /// The values: by slot, the index of the variable.
    Values(Vec<usize>),
}

/// A snapshot that is being taken.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::core) struct Taking {
    pub(in crate::core) purpose: Purpose,
    pub(in crate::core) stage: Stage,
    /// The snapshot as far as it is known.
    pub(in crate::core) taken: Snapshot,
}
