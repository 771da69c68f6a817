//! Walks over the communicators and queues of a rank with its queue library.

use super::fault::LibraryFault;
use super::interface::{Communicator, END_OF_LIST, NO_INFORMATION, OK, Operation};
use super::library::{Library, Step};
use model::{CommunicatorQueues, MessageQueues, OperationStatus, PendingOperation, QueueKind};
use nix::libc::{c_char, c_int};

/// A list that the program has damaged may have no end.
const MOST_COMMUNICATORS: usize = 1_000;
const MOST_OPERATIONS: usize = 10_000;
/// Members of communicators, together.
const MOST_MEMBERS: usize = 4 << 20;

/// Returns the queues of the rank.
pub(super) fn collect(library: &Library) -> Result<MessageQueues, LibraryFault> {
    let mut queues = MessageQueues { version: library.version(), ..MessageQueues::default() };
    // Libraries return this, too, if nothing has changed.
    match library.step(Step::UpdateCommunicators) {
        NO_INFORMATION => {}
        code => library.check("mqs_update_communicator_list", code)?,
    }
    let (mut members, mut operations) = (MOST_MEMBERS, MOST_OPERATIONS);
    let mut code = library.step(Step::SetUpCommunicators);
    while code == OK {
        if queues.communicators.len() == MOST_COMMUNICATORS || operations == 0 {
            queues.is_cut = true;
            break;
        }
        let found = library.communicator()?;
        let mut communicator = described(&found);
        let size = usize::try_from(found.size).ok().filter(|size| *size <= members);
        if let Some(size) = size {
            members -= size;
            communicator.group = library.group(size).into_iter().map(i64::from).collect();
        }
        for queue in QueueKind::ALL {
            match library.set_up_operations(class(queue)) {
                OK => {}
                END_OF_LIST => continue,
                _ => {
                    if !queues.untold.contains(&queue) {
                        queues.untold.push(queue);
                    }
                    continue;
                }
            }
            while let Some(found) = library.operation() {
                if operations == 0 {
                    queues.is_cut = true;
                    break;
                }
                operations -= 1;
                communicator.operations.push(operation(queue, &found));
            }
        }
        // Such as MPI_COMM_NULL.
        let is_empty = communicator.size <= 0 && communicator.operations.is_empty();
        if !is_empty {
            queues.communicators.push(communicator);
        }
        code = library.step(Step::NextCommunicator);
    }
    Ok(queues)
}

/// `mqs_op_class`
fn class(queue: QueueKind) -> c_int {
    match queue {
        QueueKind::Sends => 0,
        QueueKind::Receives => 1,
        QueueKind::Unexpected => 2,
    }
}

fn described(found: &Communicator) -> CommunicatorQueues {
    let (id, rank, size) = (found.unique_id, found.local_rank, found.size);
    CommunicatorQueues { name: text(&found.name), id, rank, size, ..CommunicatorQueues::default() }
}

fn operation(queue: QueueKind, found: &Operation) -> PendingOperation {
    let status = match found.status {
        0 => OperationStatus::Pending,
        1 => OperationStatus::Matched,
        2 => OperationStatus::Complete,
        other => OperationStatus::Other(other),
    };
    let desired = (int(found.desired_local_rank), int(found.desired_tag), found.desired_length);
    let actual = (int(found.actual_local_rank), int(found.actual_tag), found.actual_length);
    let is_matched = matches!(status, OperationStatus::Matched | OperationStatus::Complete);
    // Of messages that have arrived, some libraries only give the actual values.
    let is_actual = queue == QueueKind::Unexpected && is_matched && desired == (0, 0, 0);
    let (peer, tag, length) = if is_actual { actual } else { desired };
    let world = int(if is_actual { found.actual_global_rank } else { found.desired_global_rank });
    PendingOperation {
        queue,
        status,
        peer: Some(peer).filter(|peer| *peer >= 0),
        world_peer: Some(world).filter(|world| *world >= 0 && peer >= 0),
        tag: Some(tag).filter(|_| found.tag_wild == 0 || is_actual),
        length,
        buffer: found.buffer,
        is_system_buffer: found.system_buffer != 0,
        matched: Some(actual).filter(|_| queue == QueueKind::Receives && is_matched),
        notes: found.extra_text.iter().map(text).filter(|line| !line.is_empty()).collect(),
    }
}

/// Ranks and tags are `int` in MPI. Open MPI 4's library does not extend the sign of those it reads: -1 is 4294967295.
fn int(value: i64) -> i64 {
    i64::from(value as i32)
}

fn text(characters: &[c_char; 64]) -> String {
    let bytes: Vec<u8> = characters.iter().map(|byte| *byte as u8).take_while(|byte| *byte != 0).collect();
    String::from_utf8_lossy(&bytes).trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(status: c_int, desired: (i64, i64, i64), actual: (i64, i64, i64)) -> Operation {
        Operation {
            status,
            desired_local_rank: desired.0,
            desired_global_rank: desired.0,
            tag_wild: 0,
            desired_tag: desired.1,
            desired_length: desired.2,
            system_buffer: 0,
            buffer: 0x10,
            actual_local_rank: actual.0,
            actual_global_rank: 7,
            actual_tag: actual.1,
            actual_length: actual.2,
            extra_text: [[0; 64]; 5],
        }
    }

    #[test]
    fn a_wildcard_has_no_peer_and_no_tag() {
        let any = Operation { tag_wild: 1, ..found(0, (-1, 9, 4), (0, 0, 0)) };
        let any = operation(QueueKind::Receives, &any);
        assert_eq!((any.peer, any.world_peer, any.tag, any.matched), (None, None, None, None));
        let unsigned = Operation { tag_wild: 1, ..found(0, (4_294_967_295, 4_294_967_295, 4), (0, 0, 0)) };
        let any = operation(QueueKind::Receives, &unsigned);
        assert_eq!((any.peer, any.tag), (None, None));
        let matched = operation(QueueKind::Receives, &found(1, (-1, 5, 4), (2, 5, 3)));
        assert_eq!(matched.matched, Some((2, 5, 3)));
    }

    #[test]
    fn an_unexpected_message_may_have_only_actual_values() {
        let message = operation(QueueKind::Unexpected, &found(1, (0, 0, 0), (3, 8, 100)));
        assert_eq!((message.peer, message.tag, message.length, message.world_peer), (Some(3), Some(8), 100, Some(7)));
        let message = operation(QueueKind::Unexpected, &found(0, (3, 8, 100), (0, 0, 0)));
        assert_eq!((message.peer, message.tag, message.length, message.world_peer), (Some(3), Some(8), 100, Some(3)));
    }
}
