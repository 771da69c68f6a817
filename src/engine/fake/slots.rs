//! The ranks under the simulated debugger, in their order.

use super::slot::Slot;
use model::{ProcessSet, Rank};

/// The ranks in one piece of memory, since there may be a million.
#[derive(Default)]
pub(super) struct Slots(Vec<Slot>);

impl Slots {
    fn position(&self, rank: Rank) -> Result<usize, usize> {
        self.0.binary_search_by_key(&rank, |slot| slot.machine.rank)
    }

    /// Adds a rank; one of the same number is replaced.
    pub(super) fn insert(&mut self, slot: Slot) {
        match self.position(slot.machine.rank) {
            Ok(at) => {
                if let Some(known) = self.0.get_mut(at) {
                    *known = slot;
                }
            }
            Err(at) => self.0.insert(at, slot),
        }
    }

    pub(super) fn reserve(&mut self, more: usize) {
        self.0.reserve_exact(more);
    }

    pub(super) fn get(&self, rank: Rank) -> Option<&Slot> {
        self.0.get(self.position(rank).ok()?)
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &Slot> {
        self.0.iter()
    }

    pub(super) fn iter_mut(&mut self) -> impl Iterator<Item = &mut Slot> {
        self.0.iter_mut()
    }

    /// Returns the ranks of a set that are here. The time it takes is that of the set, not that of all ranks: a query
    /// that all answer differently has as many answers as ranks.
    pub(super) fn of<'a>(&'a self, ranks: &'a ProcessSet) -> impl Iterator<Item = &'a Slot> {
        let place = |rank: u32| self.0.partition_point(move |slot| slot.machine.rank.0 < rank);
        ranks.ranges().flat_map(move |(first, last)| {
            let end = last.checked_add(1).map_or(self.0.len(), place);
            self.0.get(place(first)..end).unwrap_or_default()
        })
    }

    /// As [`Slots::of`], to change them.
    pub(super) fn of_mut<'a>(&'a mut self, ranks: &'a ProcessSet) -> impl Iterator<Item = &'a mut Slot> {
        self.0.iter_mut().filter(|slot| ranks.contains(slot.machine.rank))
    }
}
