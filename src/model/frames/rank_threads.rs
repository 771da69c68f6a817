//! Threads of many ranks, by their numbers and names.

use crate::{ProcessSet, Rank, ThreadId};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::sync::Arc;

/// A thread as the stacks of many ranks name it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct NamedThread {
    /// Its number within its rank.
    pub id: ThreadId,
    /// Its name; empty if it has only that of the program.
    pub name: Arc<str>,
}

/// Threads of ranks: of each rank the one that was asked about, or named ones.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "Unchecked")]
pub struct RankThreads {
    /// The ranks of which the thread is one that was asked about.
    #[serde(skip_serializing_if = "ProcessSet::is_empty")]
    asked: ProcessSet,
    /// Named threads, ascending, each with the ranks that have it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    named: Vec<(NamedThread, ProcessSet)>,
}

/// Threads as a message brings them.
#[derive(Deserialize)]
struct Unchecked {
    #[serde(default)]
    asked: ProcessSet,
    #[serde(default)]
    named: Vec<(NamedThread, ProcessSet)>,
}

impl TryFrom<Unchecked> for RankThreads {
    type Error = &'static str;

    fn try_from(Unchecked { asked, named }: Unchecked) -> Result<Self, Self::Error> {
        let ascend = named.is_sorted_by(|one, other| one.0 < other.0);
        if !ascend || named.iter().any(|(_, ranks)| ranks.is_empty()) {
            return Err("expected threads in ascending order, each with ranks");
        }
        Ok(Self { asked, named })
    }
}

impl RankThreads {
    /// Of each rank the thread that was asked about.
    pub fn of_ranks(asked: ProcessSet) -> Self {
        Self { asked, named: Vec::new() }
    }

    /// One thread of some ranks.
    pub fn of_thread(thread: NamedThread, ranks: ProcessSet) -> Self {
        let mut one = Self::default();
        one.add(&thread, &ranks);
        one
    }

    /// Adds the thread of these ranks that was asked about.
    pub fn add_ranks(&mut self, ranks: &ProcessSet) {
        self.asked.extend_with(ranks);
    }

    /// Adds a thread that these ranks have.
    pub fn add(&mut self, thread: &NamedThread, ranks: &ProcessSet) {
        if ranks.is_empty() {
            return;
        }
        match self.named.binary_search_by(|(known, _)| known.cmp(thread)) {
            Ok(at) => {
                if let Some((_, known)) = self.named.get_mut(at) {
                    known.extend_with(ranks);
                }
            }
            Err(at) => self.named.insert(at, (thread.clone(), ranks.clone())),
        }
    }

    /// Adds others.
    pub fn extend_with(&mut self, other: &Self) {
        self.asked.extend_with(&other.asked);
        other.named.iter().for_each(|(thread, ranks)| self.add(thread, ranks));
    }

    /// Removes others.
    pub fn remove_all(&mut self, other: &Self) {
        self.asked.remove_all(&other.asked);
        for (thread, ranks) in &other.named {
            if let Ok(at) = self.named.binary_search_by(|(known, _)| known.cmp(thread))
                && let Some((_, known)) = self.named.get_mut(at)
            {
                known.remove_all(ranks);
            }
        }
        self.named.retain(|(_, ranks)| !ranks.is_empty());
    }

    /// Those that are in both.
    pub fn intersection(&self, other: &Self) -> Self {
        let mut both = Self::of_ranks(self.asked.intersection(&other.asked));
        for (thread, ranks) in &self.named {
            if let Ok(at) = other.named.binary_search_by(|(known, _)| known.cmp(thread))
                && let Some((_, others)) = other.named.get(at)
            {
                both.add(thread, &ranks.intersection(others));
            }
        }
        both
    }

    /// Those of other ranks than these.
    pub fn without_ranks(&self, ranks: &ProcessSet) -> Self {
        let mut left = Self::of_ranks(self.asked.difference(ranks));
        self.named.iter().for_each(|(thread, of_thread)| left.add(thread, &of_thread.difference(ranks)));
        left
    }

    /// True if there are none.
    pub fn is_empty(&self) -> bool {
        self.asked.is_empty() && self.named.is_empty()
    }

    /// True if threads are named, so that a rank may have several.
    pub fn are_named(&self) -> bool {
        !self.named.is_empty()
    }

    /// The named threads, ascending, each with the ranks that have it.
    pub fn named(&self) -> &[(NamedThread, ProcessSet)] {
        &self.named
    }

    /// The ranks that have one of them.
    pub fn ranks(&self) -> ProcessSet {
        let mut ranks = self.asked.clone();
        self.named.iter().for_each(|(_, of_thread)| ranks.extend_with(of_thread));
        ranks
    }

    /// The lowest thread of the lowest rank; that which was asked about is before those that are named.
    pub fn first(&self) -> Option<(Rank, Option<ThreadId>)> {
        let of_named = self.named.iter().filter_map(|(thread, ranks)| Some((ranks.first()?, Some(thread.id))));
        of_named.chain(self.asked.first().map(|rank| (rank, None))).min()
    }

    /// How many threads there are.
    pub fn count(&self) -> usize {
        self.asked.len() + self.named.iter().map(|(_, ranks)| ranks.len()).sum::<usize>()
    }

    /// The named threads by the ranks that have them, in the order of their lowest threads.
    pub fn alike(&self) -> Vec<(&ProcessSet, Vec<ThreadId>)> {
        let mut alike: Vec<(&ProcessSet, Vec<ThreadId>)> = Vec::new();
        let mut known: HashMap<&ProcessSet, usize> = HashMap::new();
        for (thread, ranks) in &self.named {
            let at = *known.entry(ranks).or_insert(alike.len());
            match alike.get_mut(at) {
                Some((_, threads)) => threads.push(thread.id),
                None => alike.push((ranks, vec![thread.id])),
            }
        }
        alike
    }
}
