//! The message queues of an MPI.

use super::merged_queues::{MergedCommunicator, MergedOperation, MergedQueues, merged};
use crate::report::json_object::Object;
use crate::report::text_words::of;
use model::{MessageQueues, OperationStatus, ProcessSet, QueueKind};

/// Returns a line for each communicator and each operation.
pub(in crate::report) fn text(queues: &[(ProcessSet, MessageQueues)]) -> Vec<String> {
    merged(queues).iter().flat_map(lines).collect()
}

fn lines(queues: &MergedQueues<'_>) -> Vec<String> {
    let mut lines = Vec::new();
    for communicator in &queues.communicators {
        let mut idle = communicator.ranks.clone();
        for operation in &communicator.operations {
            idle = idle.difference(&operation.ranks);
        }
        let nothing = "no pending operations";
        let head = described(communicator);
        if idle == communicator.ranks {
            lines.push(of(&communicator.ranks, format!("{head}: {nothing}")));
            continue;
        }
        lines.push(of(&communicator.ranks, head));
        let operation = |found: &MergedOperation| of(&found.ranks, format!("  {}", sentence(found)));
        lines.extend(communicator.operations.iter().map(operation));
        if !idle.is_empty() {
            lines.push(of(&idle, format!("  {nothing}")));
        }
    }
    lines.push(of(&queues.ranks, source(queues.example)));
    lines
}

/// The library, and what it does not say.
fn source(queues: &MessageQueues) -> String {
    let mut text = format!("read by {}", queues.library);
    if !queues.version.is_empty() {
        text.push_str(&format!(" ({})", queues.version));
    }
    let untold: Vec<&str> = queues.untold.iter().map(|queue| plural(*queue)).collect();
    if !untold.is_empty() {
        text.push_str(&format!(", which cannot tell {}", untold.join(" and ")));
    }
    if queues.is_cut {
        text.push_str("; there are more, not shown");
    }
    text
}

fn plural(queue: QueueKind) -> &'static str {
    match queue {
        QueueKind::Receives => "posted receives",
        QueueKind::Unexpected => "unexpected messages",
        QueueKind::Sends => "pending sends",
    }
}

fn described(communicator: &MergedCommunicator<'_>) -> String {
    let name = if communicator.name.is_empty() { "communicator without a name" } else { communicator.name };
    let unit = if communicator.size == 1 { "rank" } else { "ranks" };
    let members = communicator.group.filter(|group| !group.is_empty() && !is_identity(communicator));
    let members = members.map_or_else(String::new, |group| format!(" {}", in_order(group.iter())));
    format!("{name}, {} {unit}{members}", communicator.size)
}

/// True if each rank of a communicator has the same number in `MPI_COMM_WORLD`.
fn is_identity(communicator: &MergedCommunicator<'_>) -> bool {
    communicator.group.is_some_and(|group| group.iter().enumerate().all(|(at, rank)| at as i64 == rank))
}

/// Lists ranks: as a set if they ascend, else one by one.
fn in_order(ranks: impl Iterator<Item = i64>) -> String {
    const MOST: usize = 16;
    let ranks: Vec<i64> = ranks.collect();
    if ranks.is_sorted() && ranks.iter().all(|rank| u32::try_from(*rank).is_ok()) {
        return ranks.iter().map(|rank| model::Rank(*rank as u32)).collect::<ProcessSet>().to_string();
    }
    let shown: Vec<String> = ranks.iter().take(MOST).map(i64::to_string).collect();
    let more = if ranks.len() > MOST { ",..." } else { "" };
    format!("{}{more}", shown.join(","))
}

fn sentence(found: &MergedOperation) -> String {
    let operation = &found.operation;
    let (name, direction) = match operation.queue {
        QueueKind::Receives => ("receive", "from"),
        QueueKind::Unexpected => ("unexpected message", "from"),
        QueueKind::Sends => ("send", "to"),
    };
    let mut text = match operation.peer {
        Some(peer) => format!("{name} {direction} {peer}"),
        None => format!("{name} {direction} any"),
    };
    if let Some(world) = operation.world_peer.filter(|world| Some(*world) != operation.peer) {
        text.push_str(&format!(" (rank {world})"));
    }
    text.push_str(&operation.tag.map_or_else(|| ", any tag".to_owned(), |tag| format!(", tag {tag}")));
    text.push_str(&format!(", {} bytes", operation.length));
    if found.has_buffer {
        text.push_str(&format!(" at {:#x}", operation.buffer));
    }
    if let Some((source, tag, length)) = operation.matched {
        text.push_str(&format!(", matched by {length} bytes from {source}, tag {tag}"));
    }
    if let Some(state) = state(operation.status) {
        text.push_str(&format!(", {state}"));
    }
    if found.count > 1 {
        text.push_str(&format!(", {} times", found.count));
    }
    for note in &operation.notes {
        text.push_str(&format!("; {note}"));
    }
    text
}

fn state(status: OperationStatus) -> Option<String> {
    match status {
        OperationStatus::Pending | OperationStatus::Matched => None,
        OperationStatus::Complete => Some("complete".to_owned()),
        OperationStatus::Other(number) => Some(format!("state {number}")),
    }
}

/// Returns an object for the ranks of each library.
pub(in crate::report) fn json(queues: &[(ProcessSet, MessageQueues)]) -> Vec<Object> {
    merged(queues).iter().map(object).collect()
}

fn object(queues: &MergedQueues<'_>) -> Object {
    let found = queues.example;
    let untold: Vec<&str> = found.untold.iter().map(|queue| word(*queue)).collect();
    let communicators: Vec<Object> = queues.communicators.iter().map(communicator).collect();
    let object = Object::of_type("queues").ranks(&queues.ranks).with("library", &found.library);
    let object = object.with("version", &found.version).with("unknown", untold).with("cut", found.is_cut);
    object.with("communicators", communicators)
}

fn communicator(found: &MergedCommunicator<'_>) -> Object {
    let group: Option<Vec<i64>> = found.group.filter(|group| !group.is_empty()).map(|group| group.iter().collect());
    let operations: Vec<Object> = found.operations.iter().map(operation).collect();
    let object = Object::default().ranks(&found.ranks).with("name", found.name).with("size", found.size);
    object.maybe("group", group).with("operations", operations)
}

fn operation(found: &MergedOperation) -> Object {
    let operation = &found.operation;
    let status = match operation.status {
        OperationStatus::Pending => "pending".to_owned(),
        OperationStatus::Matched => "matched".to_owned(),
        OperationStatus::Complete => "complete".to_owned(),
        OperationStatus::Other(number) => number.to_string(),
    };
    let any = |value: Option<i64>| value.map_or_else(|| serde_json::Value::from("any"), serde_json::Value::from);
    let matched = operation
        .matched
        .map(|(source, tag, length)| Object::default().with("source", source).with("tag", tag).with("length", length));
    let notes = Some(&operation.notes).filter(|notes| !notes.is_empty());
    Object::default()
        .ranks(&found.ranks)
        .with("queue", word(operation.queue))
        .with("status", status)
        .with("peer", any(operation.peer))
        .maybe("peer_rank", operation.world_peer)
        .with("tag", any(operation.tag))
        .with("length", operation.length)
        .maybe("buffer", found.has_buffer.then(|| format!("{:#x}", operation.buffer)))
        .with("system_buffer", operation.is_system_buffer)
        .with("count", found.count)
        .maybe("matched", matched)
        .maybe("notes", notes)
}

fn word(queue: QueueKind) -> &'static str {
    match queue {
        QueueKind::Receives => "receive",
        QueueKind::Unexpected => "unexpected",
        QueueKind::Sends => "send",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use model::{CommunicatorQueues, PendingOperation};

    fn receive(peer: i64, buffer: u64) -> PendingOperation {
        PendingOperation {
            queue: QueueKind::Receives,
            status: OperationStatus::Pending,
            peer: Some(peer),
            world_peer: Some(peer),
            tag: Some(7),
            length: 4,
            buffer,
            is_system_buffer: false,
            matched: None,
            notes: Vec::new(),
        }
    }

    fn communicator(name: &str, rank: i64, group: &[i64], operations: Vec<PendingOperation>) -> CommunicatorQueues {
        let (group, size) = (group.iter().copied().collect(), group.len() as i64);
        CommunicatorQueues { name: name.to_owned(), id: 0x1000 + rank as u64, rank, size, group, operations }
    }

    fn queues(communicators: Vec<CommunicatorQueues>) -> MessageQueues {
        let (library, version) = ("/lib/q.so".to_owned(), "1".to_owned());
        MessageQueues { library, version, communicators, untold: vec![QueueKind::Unexpected], is_cut: false }
    }

    fn ranks(text: &str) -> ProcessSet {
        ProcessSet::parse(text).unwrap()
    }

    #[test]
    fn equal_operations_are_one_line() {
        let world = |rank, operations| communicator("MPI_COMM_WORLD", rank, &[0, 1, 2, 3], operations);
        let own = |rank| communicator("MPI_COMM_SELF", 0, &[rank], Vec::new());
        let any = PendingOperation { peer: None, world_peer: None, tag: None, ..receive(0, 0x20) };
        let odd = communicator("odd", 1, &[3, 1], vec![receive(0, 0x30), receive(0, 0x40)]);
        let odd_peer = odd.operations.iter().map(|one| PendingOperation { world_peer: Some(3), ..one.clone() });
        let odd = CommunicatorQueues { operations: odd_peer.collect(), ..odd };
        let all = [
            (ranks("0"), queues(vec![world(0, vec![receive(3, 0x10)]), own(0)])),
            (ranks("1"), queues(vec![world(1, vec![receive(3, 0x10)]), own(1), odd])),
            (ranks("2"), queues(vec![world(2, vec![any, receive(3, 0x18)]), own(2)])),
            (ranks("3"), queues(vec![world(3, Vec::new()), own(3)])),
        ];
        assert_eq!(
            text(&all),
            [
                "[0-3] MPI_COMM_WORLD, 4 ranks",
                "[2]   receive from any, any tag, 4 bytes at 0x20",
                "[0-2]   receive from 3, tag 7, 4 bytes",
                "[3]   no pending operations",
                "[0-3] MPI_COMM_SELF, 1 rank: no pending operations",
                "[1] odd, 2 ranks 3,1",
                "[1]   receive from 0 (rank 3), tag 7, 4 bytes, 2 times",
                "[0-3] read by /lib/q.so (1), which cannot tell unexpected messages",
            ]
        );
        let json: Vec<String> = json(&all).iter().map(Object::text).collect();
        assert_eq!(json.len(), 1);
        let object: serde_json::Value = serde_json::from_str(&json[0]).unwrap();
        assert_eq!((&object["type"], &object["unknown"][0]), (&"queues".into(), &"unexpected".into()));
        let odd = &object["communicators"][2];
        assert_eq!((&odd["group"][0], &odd["operations"][0]["count"]), (&3.into(), &2.into()));
        let any = &object["communicators"][0]["operations"][0];
        assert_eq!((&any["peer"], &any["tag"], &any["buffer"]), (&"any".into(), &"any".into(), &"0x20".into()));
    }

    #[test]
    fn notes_with_addresses_keep_nothing_apart() {
        let noted = |buffer: u64| {
            let notes = vec![format!("Receive: {buffer:#x}"), "Data: int".to_owned()];
            let world = vec![PendingOperation { notes, ..receive(3, buffer) }];
            queues(vec![communicator("MPI_COMM_WORLD", 0, &[0, 1, 2, 3], world)])
        };
        let told = text(&[(ranks("0"), noted(0x10)), (ranks("1"), noted(0x20))]);
        assert_eq!(told.iter().filter(|line| line.contains("receive from 3")).count(), 1, "{told:?}");
        assert!(told.iter().any(|line| line.contains("Data: int")), "{told:?}");
        assert!(!told.iter().any(|line| line.contains("Receive: 0x")), "{told:?}");
    }

    #[test]
    fn members_are_a_set_if_they_ascend() {
        assert_eq!(in_order([0, 2, 3, 4].into_iter()), "0,2-4");
        assert_eq!(in_order([5, 2].into_iter()), "5,2");
        assert_eq!(in_order((0..20).rev()), "19,18,17,16,15,14,13,12,11,10,9,8,7,6,5,4,...");
    }
}
