//! The message queues of an MPI library, as its own queue library describes them (MPI Forum, "MPIR message queue
//! dumping", version 1.0).

use serde::{Deserialize, Serialize};

/// The queues of one rank.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct MessageQueues {
    /// The path of the queue library, on the rank's host.
    pub library: String,
    /// The name and version that the library gives itself.
    pub version: String,
    /// The communicators of the rank, in the order of the library.
    pub communicators: Vec<CommunicatorQueues>,
    /// The queues of which the library knows nothing.
    pub untold: Vec<QueueKind>,
    /// True if there were more communicators or operations than are read.
    pub is_cut: bool,
}

/// A communicator and its pending operations.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct CommunicatorQueues {
    /// The name given by the program or the MPI; may be empty.
    pub name: String,
    /// The library's number for it; not the same on all ranks.
    pub id: u64,
    /// The rank in it of this process.
    pub rank: i64,
    /// The number of ranks in it.
    pub size: i64,
    /// The ranks of `MPI_COMM_WORLD` that are in it, by their rank in it; empty if the library cannot tell.
    pub group: RankRuns,
    /// In the order of the library: receives, unexpected messages, sends.
    pub operations: Vec<PendingOperation>,
}

/// A queue of pending operations.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum QueueKind {
    /// Receives that were posted and have no message yet.
    Receives,
    /// Messages that arrived before their receive was posted.
    Unexpected,
    /// Sends that are not complete.
    Sends,
}

impl QueueKind {
    /// All queues, in the order of reports.
    pub const ALL: [Self; 3] = [Self::Receives, Self::Unexpected, Self::Sends];
}

/// The state of an operation (`mqs_status`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum OperationStatus {
    /// It has found no counterpart.
    Pending,
    /// It has found its counterpart; the data is on the way.
    Matched,
    /// The data is there, but the program has not asked for it.
    Complete,
    /// A value that the interface does not define.
    Other(i32),
}

/// A pending operation. Ranks are those of its communicator.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct PendingOperation {
    /// The queue that contains it.
    pub queue: QueueKind,
    /// Its state.
    pub status: OperationStatus,
    /// The other end; `None` for a receive from any source.
    pub peer: Option<i64>,
    /// The rank of the other end in `MPI_COMM_WORLD`, if the library knows it.
    pub world_peer: Option<i64>,
    /// The tag; `None` for a receive of any tag.
    pub tag: Option<i64>,
    /// The size of the buffer or message in bytes.
    pub length: i64,
    /// The address of the data.
    pub buffer: u64,
    /// True if the MPI owns the buffer.
    pub is_system_buffer: bool,
    /// The message that a receive has been matched with: source, tag and length.
    pub matched: Option<(i64, i64, i64)>,
    /// Further facts in the words of the library.
    pub notes: Vec<String>,
}

/// Ranks in a given order, stored as arithmetic sequences.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct RankRuns(Vec<(i64, i64, u32)>);

impl RankRuns {
    /// Returns the number of ranks.
    pub fn len(&self) -> usize {
        self.0.iter().map(|(_, _, count)| *count as usize).sum()
    }

    /// True if there is no rank.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Iterates over the ranks.
    pub fn iter(&self) -> impl Iterator<Item = i64> {
        let run = |(first, step, count): &(i64, i64, u32)| {
            let (first, step) = (*first, *step);
            (0..i64::from(*count)).map(move |at| first.wrapping_add(step.wrapping_mul(at)))
        };
        self.0.iter().flat_map(run)
    }

    /// Returns the rank at an index.
    pub fn get(&self, index: i64) -> Option<i64> {
        let mut left = index;
        for (first, step, count) in &self.0 {
            if (0..i64::from(*count)).contains(&left) {
                return Some(first.wrapping_add(step.wrapping_mul(left)));
            }
            left -= i64::from(*count);
        }
        None
    }
}

impl FromIterator<i64> for RankRuns {
    fn from_iter<T: IntoIterator<Item = i64>>(ranks: T) -> Self {
        let mut runs: Vec<(i64, i64, u32)> = Vec::new();
        for rank in ranks {
            match runs.last_mut() {
                Some((first, step, count)) if *count == 1 => {
                    *step = rank.wrapping_sub(*first);
                    *count = 2;
                }
                Some((first, step, count))
                    if *count < u32::MAX && first.wrapping_add(step.wrapping_mul(i64::from(*count))) == rank =>
                {
                    *count += 1;
                }
                _ => runs.push((rank, 0, 1)),
            }
        }
        Self(runs)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_keep_their_order() {
        for (ranks, runs) in
            [(vec![], 0), (vec![4], 1), (vec![0, 1, 2, 3], 1), (vec![6, 4, 2, 0], 1), (vec![0, 2, 4, 9, 8, 7, 7], 3)]
        {
            let stored: RankRuns = ranks.iter().copied().collect();
            assert_eq!(stored.iter().collect::<Vec<_>>(), ranks);
            assert_eq!((stored.len(), stored.0.len()), (ranks.len(), runs), "{ranks:?}");
            for (at, rank) in ranks.iter().enumerate() {
                assert_eq!(stored.get(at as i64), Some(*rank));
            }
            assert_eq!((stored.get(-1), stored.get(ranks.len() as i64)), (None, None));
        }
    }
}
