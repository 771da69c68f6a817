//! The members of communicators, from the MPI's own queue library: the communicator of a call is the one whose queues
//! alone have its message, or alone have anything.

use super::situation::{Communicator, Direction, Doing, Message, Peer, Source};
use model::{CommunicatorQueues, MessageQueues, QueueKind};

/// Adds the members of a communicator that is unknown otherwise; peers become ranks of the job.
pub(crate) fn with_queues((doing, source): (Doing, Source), queues: &MessageQueues) -> (Doing, Source) {
    let known = match &doing {
        Doing::Messages { communicator: Communicator::Other(_), messages } => {
            let of_message = |made: &CommunicatorQueues| messages.iter().any(|message| has(made, message));
            chosen(queues, of_message).and_then(|made| {
                let messages = messages.iter().map(|message| in_world(made, *message)).collect::<Option<_>>()?;
                Some(Doing::Messages { communicator: group(made)?, messages })
            })
        }
        Doing::Collective { communicator: Communicator::Other(_), root } => {
            let root = *root;
            let is_busy = |made: &CommunicatorQueues| !made.operations.is_empty();
            chosen(queues, is_busy).and_then(|made| Some(Doing::Collective { communicator: group(made)?, root }))
        }
        _ => None,
    };
    known.map_or((doing, source), |doing| (doing, Source::Queues))
}

/// The only communicator that fits; `None` if it is not clear. The call may mean `MPI_COMM_WORLD` by a name that is
/// unknown: that has to be ruled out, too.
fn chosen(queues: &MessageQueues, fits: impl Fn(&CommunicatorQueues) -> bool) -> Option<&CommunicatorQueues> {
    let mut fitting = queues.communicators.iter().filter(|one| fits(one));
    let one = fitting.next()?;
    fitting.next().is_none().then_some(one)
}

/// True if a message is in the queues of a communicator.
fn has(communicator: &CommunicatorQueues, message: &Message) -> bool {
    let queue = match message.direction {
        Direction::Send => QueueKind::Sends,
        Direction::Receive => QueueKind::Receives,
    };
    communicator.operations.iter().any(|operation| {
        let is_peer = match message.peer {
            Peer::Rank(peer) => operation.peer == Some(i64::from(peer)),
            Peer::Any => operation.peer.is_none(),
            Peer::Unknown => true,
            Peer::Nobody => false,
        };
        operation.queue == queue && is_peer && (message.tag.is_none() || operation.tag == message.tag)
    })
}

fn in_world(communicator: &CommunicatorQueues, message: Message) -> Option<Message> {
    let peer = match message.peer {
        Peer::Rank(peer) => Peer::Rank(u32::try_from(communicator.group.get(i64::from(peer))?).ok()?),
        other => other,
    };
    Some(Message { peer, ..message })
}

fn group(communicator: &CommunicatorQueues) -> Option<Communicator> {
    let members: Option<Vec<u32>> = communicator.group.iter().map(|rank| u32::try_from(rank).ok()).collect();
    let members = members.filter(|members| !members.is_empty())?;
    Some(Communicator::Group { name: (*communicator.name).into(), members: members.into() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use model::{OperationStatus, PendingOperation};

    fn made(name: &str, group: &[i64], receives: &[(i64, i64)]) -> CommunicatorQueues {
        let receive = |(peer, tag): &(i64, i64)| PendingOperation {
            queue: QueueKind::Receives,
            status: OperationStatus::Pending,
            peer: Some(*peer),
            world_peer: None,
            tag: Some(*tag),
            length: 4,
            buffer: 0,
            is_system_buffer: false,
            matched: None,
            notes: Vec::new(),
        };
        let operations = receives.iter().map(receive).collect();
        let (group, size) = (group.iter().copied().collect(), group.len() as i64);
        CommunicatorQueues { name: name.to_owned(), id: 1, rank: 0, size, group, operations }
    }

    fn receive(peer: u32, tag: i64) -> (Doing, Source) {
        let message = Message { direction: Direction::Receive, peer: Peer::Rank(peer), tag: Some(tag) };
        let communicator = Communicator::Other(Some("comm".into()));
        (Doing::Messages { communicator, messages: vec![message] }, Source::Text)
    }

    fn of(communicators: Vec<CommunicatorQueues>) -> MessageQueues {
        MessageQueues { communicators, ..MessageQueues::default() }
    }

    #[test]
    fn the_communicator_with_the_message_gives_the_ranks() {
        let world = made("MPI_COMM_WORLD", &[0, 1, 2, 3], &[(3, 7)]);
        let queues = of(vec![world, made("a", &[3, 2], &[]), made("b", &[2, 0], &[(1, 7)])]);
        let (doing, source) = with_queues(receive(1, 7), &queues);
        let Doing::Messages { communicator, messages } = doing else { panic!("{doing:?}") };
        assert_eq!(communicator, Communicator::Group { name: "b".into(), members: [2, 0].into() });
        assert_eq!((messages[0].peer, source), (Peer::Rank(0), Source::Queues));
        // Two could be meant, and a peer that is no member is not translated.
        assert_eq!(with_queues(receive(1, 8), &queues), receive(1, 8));
        assert_eq!(with_queues(receive(5, 7), &of(vec![made("b", &[2, 0], &[(5, 7)])])), receive(5, 7));
    }

    #[test]
    fn the_only_communicator_that_is_in_use_is_meant() {
        let all = |of_world, of_row| of(vec![made("MPI_COMM_WORLD", &[0, 1], of_world), made("row", &[1, 0], of_row)]);
        let queues = all(&[], &[(0, 1)]);
        let collective = Doing::Collective { communicator: Communicator::Other(None), root: None };
        for unclear in [all(&[(0, 1)], &[(0, 1)]), all(&[], &[])] {
            assert_eq!(with_queues((collective.clone(), Source::Text), &unclear).0, collective);
        }
        let (doing, _) = with_queues((collective, Source::Text), &queues);
        let communicator = Communicator::Group { name: "row".into(), members: [1, 0].into() };
        assert_eq!(doing, Doing::Collective { communicator, root: None });
        let on_world = Doing::Collective { communicator: Communicator::World, root: None };
        assert_eq!(with_queues((on_world.clone(), Source::Text), &queues), (on_world, Source::Text));
    }
}
