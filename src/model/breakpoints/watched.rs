//! What a watchpoint saw, on one rank or on several.

use crate::{Datum, ProcessSet};
use serde::{Deserialize, Serialize};

/// The cause of a watchpoint's stop.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Watched {
    /// A write changed the value.
    Changed {
        /// `None` if it could not be read.
        old: Option<Datum>,
        /// `None` if it cannot be read any more.
        new: Option<Datum>,
    },
    /// The value was read, or written without a change.
    Accessed {
        /// The current value.
        value: Datum,
    },
    /// The frame of its local variables has returned; the watchpoint is deleted.
    ScopeEnded,
    /// The value can no longer be read, and gdb has deleted the watchpoint.
    GivenUp,
    /// Changes or accesses on several ranks whose values differ. No rank reports it: it stands for the stops of all.
    Several {
        /// The value before; `None` for accesses.
        old: Option<ValueAmongRanks>,
        /// The value now.
        new: ValueAmongRanks,
    },
}

/// A value on several ranks.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum ValueAmongRanks {
    /// All ranks share it; `None` if it cannot be read.
    Shared(Option<Datum>),
    /// It differs.
    Differs {
        /// The values of the first ranks, four at most.
        values: Vec<(ProcessSet, Option<Datum>)>,
        /// True if other ranks have other values.
        has_more: bool,
    },
}

/// The most values kept of one that differs among ranks.
const VALUES_KEPT: usize = 4;

impl ValueAmongRanks {
    /// Adds what other ranks have.
    fn join(&mut self, own: &ProcessSet, other: &Self, ranks: &ProcessSet) {
        if matches!((&*self, other), (Self::Shared(value), Self::Shared(also)) if value == also) {
            return;
        }
        let (mut values, mut has_more) = std::mem::replace(self, Self::Shared(None)).parts(own);
        let (others, others_have_more) = other.clone().parts(ranks);
        has_more |= others_have_more;
        for (ranks, value) in others {
            if let Some((known, _)) = values.iter_mut().find(|(_, known)| *known == value) {
                known.extend_with(&ranks);
            } else if values.len() < VALUES_KEPT {
                values.push((ranks, value));
            } else {
                has_more = true;
            }
        }
        *self = Self::Differs { values, has_more };
    }

    fn parts(self, ranks: &ProcessSet) -> (Vec<(ProcessSet, Option<Datum>)>, bool) {
        match self {
            Self::Shared(value) => (vec![(ranks.clone(), value)], false),
            Self::Differs { values, has_more } => (values, has_more),
        }
    }
}

impl Watched {
    /// True if stops for both can be reported together, whatever the values are.
    pub fn is_alike(&self, other: &Self) -> bool {
        match (self.among_ranks(), other.among_ranks()) {
            (Some((old, _)), Some((also, _))) => old.is_some() == also.is_some(),
            _ => self == other,
        }
    }

    /// Adds the values of other ranks, so that it stands for the stops of both.
    pub fn join(&mut self, own: &ProcessSet, other: &Self, ranks: &ProcessSet) {
        if self == other && !matches!(self, Self::Several { .. }) {
            return;
        }
        if let (Some((mut old, mut new)), Some((old_too, new_too))) = (self.among_ranks(), other.among_ranks()) {
            if let (Some(old), Some(also)) = (&mut old, &old_too) {
                old.join(own, also, ranks);
            }
            new.join(own, &new_too, ranks);
            *self = Self::Several { old, new };
        }
    }

    /// The value before, if a write changed it, and the value now; `None` if there is no value.
    fn among_ranks(&self) -> Option<(Option<ValueAmongRanks>, ValueAmongRanks)> {
        let shared = |value: &Option<Datum>| ValueAmongRanks::Shared(value.clone());
        match self {
            Self::Changed { old, new } => Some((Some(shared(old)), shared(new))),
            Self::Accessed { value } => Some((None, ValueAmongRanks::Shared(Some(value.clone())))),
            Self::Several { old, new } => Some((old.clone(), new.clone())),
            Self::ScopeEnded | Self::GivenUp => None,
        }
    }
}
