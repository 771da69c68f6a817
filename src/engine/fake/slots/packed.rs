//! A rank as it is kept while it is not used.

use super::bytes;
use crate::fake::slot::Slot;
use model::Rank;
use std::rc::Rc;

/// A rank, as what it has of its own beside a rank that is alike.
pub(super) struct Packed {
    pub(super) rank: Rank,
    /// The relocation of its code.
    pub(super) bias: u64,
    /// Another rank, or this one, in the same state.
    pub(super) alike: Rc<Slot>,
    /// The changes that turn the memory of that rank into its own.
    pub(super) changes: Box<[u8]>,
}

impl Packed {
    pub(super) fn unpacked(&self) -> Slot {
        let mut slot = Slot::clone(&self.alike);
        slot.machine.rank = self.rank;
        slot.bias = self.bias;
        bytes::change(&mut slot.machine, &self.changes);
        slot
    }
}
