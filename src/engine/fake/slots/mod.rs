//! The ranks under the simulated debugger, in their order.

mod bytes;
mod packed;
mod packing;

use super::slot::{Slot, State};
use model::{ProcessSet, Rank};
use packed::Packed;
pub(super) use packing::Packing;

/// The ranks in one piece of memory, since there may be a million. Each is unpacked only while it is used.
#[derive(Default)]
pub(super) struct Slots(Vec<Packed>);

impl Slots {
    fn position(&self, rank: Rank) -> Result<usize, usize> {
        self.0.binary_search_by_key(&rank, |packed| packed.rank)
    }

    /// Adds a rank; one of the same number is replaced.
    pub(super) fn insert(&mut self, slot: Slot, packing: &mut Packing) {
        let (found, packed) = (self.position(slot.machine.rank), packing.pack(slot));
        match found {
            Ok(at) => {
                if let Some(known) = self.0.get_mut(at) {
                    *known = packed;
                }
            }
            Err(at) => self.0.insert(at, packed),
        }
    }

    pub(super) fn reserve(&mut self, more: usize) {
        self.0.reserve_exact(more);
    }

    pub(super) fn get(&self, rank: Rank) -> Option<Slot> {
        self.0.get(self.position(rank).ok()?).map(Packed::unpacked)
    }

    /// The number of ranks in this state.
    pub(super) fn count(&self, state: State) -> usize {
        self.0.iter().filter(|packed| packed.alike.state == state).count()
    }

    /// The ranks of a set, with what can be known of them without unpacking them: neither memory nor addresses. The time
    /// it takes is that of the set, not that of all ranks: a query that all answer differently has as many answers as
    /// ranks.
    pub(super) fn of<'a>(&'a self, ranks: &'a ProcessSet) -> impl Iterator<Item = (Rank, &'a Slot)> {
        let place = |rank: u32| self.0.partition_point(move |packed| packed.rank.0 < rank);
        let chosen = ranks.ranges().flat_map(move |(first, last)| {
            let end = last.checked_add(1).map_or(self.0.len(), place);
            self.0.get(place(first)..end).unwrap_or_default()
        });
        chosen.map(|packed| (packed.rank, &*packed.alike))
    }

    /// Lets ranks of a set be used. Those are packed again for which this returns true: they may have changed.
    pub(super) fn each_of(&mut self, ranks: &ProcessSet, mut act: impl FnMut(&mut Slot) -> bool) {
        self.each(|packed| ranks.contains(packed.rank), &mut act);
    }

    /// The same for ranks in a state that is wanted.
    pub(super) fn each_in(&mut self, is_wanted: impl Fn(State) -> bool, mut act: impl FnMut(&mut Slot)) {
        self.each(
            |packed| is_wanted(packed.alike.state),
            |slot| {
                act(slot);
                true
            },
        );
    }

    fn each(&mut self, is_wanted: impl Fn(&Packed) -> bool, mut act: impl FnMut(&mut Slot) -> bool) {
        let mut packing = Packing::default();
        for packed in self.0.iter_mut().filter(|packed| is_wanted(packed)) {
            let mut slot = packed.unpacked();
            if act(&mut slot) {
                *packed = packing.pack(slot);
            }
        }
    }
}

#[cfg(test)]
mod tests;
