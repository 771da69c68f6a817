//! Message queues of many ranks, merged: each communicator once, with the operations that ranks have in common.

use model::{CommunicatorQueues, MessageQueues, OperationStatus, PendingOperation, ProcessSet, QueueKind, RankRuns};
use std::collections::BTreeMap;

/// The queues of ranks whose libraries know the same.
pub(super) struct MergedQueues<'a> {
    pub(super) ranks: ProcessSet,
    /// Those of one rank, for what they have in common.
    pub(super) example: &'a MessageQueues,
    pub(super) communicators: Vec<MergedCommunicator<'a>>,
}

/// A communicator of several ranks.
pub(super) struct MergedCommunicator<'a> {
    /// The ranks that have it.
    pub(super) ranks: ProcessSet,
    pub(super) name: &'a str,
    pub(super) size: i64,
    /// `None` if it is different: communicators of one rank.
    pub(super) group: Option<&'a RankRuns>,
    pub(super) operations: Vec<MergedOperation>,
}

/// Operations that differ in addresses only.
pub(super) struct MergedOperation {
    pub(super) ranks: ProcessSet,
    /// With the buffer of one of them.
    pub(super) operation: PendingOperation,
    /// How many a rank has.
    pub(super) count: u32,
    /// True if all have the same buffer.
    pub(super) has_buffer: bool,
}

/// An operation without its buffer, in the order of reports.
type Key = (QueueKind, Option<i64>, Option<i64>, i64, OperationStatus, Option<(i64, i64, i64)>, bool, Vec<String>);

fn key(operation: &PendingOperation) -> Key {
    let PendingOperation { queue, peer, tag, length, status, matched, is_system_buffer, notes, .. } = operation;
    // Notes with addresses are different in each rank.
    let notes = notes.iter().filter(|note| !note.contains("0x")).cloned().collect();
    (*queue, *peer, *tag, *length, *status, *matched, *is_system_buffer, notes)
}

/// Merges the queues of ranks.
pub(super) fn merged(queues: &[(ProcessSet, MessageQueues)]) -> Vec<MergedQueues<'_>> {
    let mut merged: Vec<MergedQueues<'_>> = Vec::new();
    for (ranks, found) in queues {
        let is_alike = |known: &MergedQueues<'_>| {
            let known = known.example;
            (&known.library, &known.version, &known.untold, known.is_cut)
                == (&found.library, &found.version, &found.untold, found.is_cut)
        };
        let index = match merged.iter().position(is_alike) {
            Some(index) => index,
            None => {
                let communicators = Vec::new();
                merged.push(MergedQueues { ranks: ProcessSet::new(), example: found, communicators });
                merged.len() - 1
            }
        };
        let Some(into) = merged.get_mut(index) else { continue };
        into.ranks.extend_with(ranks);
        for communicator in &found.communicators {
            add(&mut into.communicators, ranks, communicator);
        }
    }
    merged
}

fn add<'a>(known: &mut Vec<MergedCommunicator<'a>>, ranks: &ProcessSet, found: &'a CommunicatorQueues) {
    let group = Some(&found.group).filter(|_| found.size != 1);
    let is_same =
        |known: &MergedCommunicator<'_>| known.name == found.name && known.size == found.size && known.group == group;
    let index = known.iter().position(is_same).unwrap_or_else(|| {
        let (name, size) = (found.name.as_str(), found.size);
        known.push(MergedCommunicator { ranks: ProcessSet::new(), name, size, group, operations: Vec::new() });
        known.len() - 1
    });
    let Some(into) = known.get_mut(index) else { return };
    into.ranks.extend_with(ranks);
    let mut own: BTreeMap<Key, (u32, &PendingOperation)> = BTreeMap::new();
    for operation in &found.operations {
        own.entry(key(operation)).or_insert((0, operation)).0 += 1;
    }
    for (key_of_own, (count, operation)) in own {
        let same = into.operations.iter_mut().find(|known| known.count == count && key(&known.operation) == key_of_own);
        match same {
            Some(same) => {
                same.ranks.extend_with(ranks);
                same.has_buffer &= same.operation.buffer == operation.buffer;
                same.operation.notes.retain(|note| operation.notes.contains(note));
            }
            None => into.operations.push(MergedOperation {
                ranks: ranks.clone(),
                operation: operation.clone(),
                count,
                has_buffer: count == 1 && operation.buffer != 0,
            }),
        }
    }
    into.operations.sort_by_cached_key(|known| (key(&known.operation), known.ranks.first()));
}
