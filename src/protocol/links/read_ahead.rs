//! Reads ahead: a quit is seen although commands before it still wait.

use crate::{Message, Priority, ProtocolError, Receiver};
use std::collections::VecDeque;

/// The limit for messages that are read but not yet processed, in bytes, with the memory for them.
const MOST_KEPT: usize = 16 << 20;

/// The next message of a peer that sends requests.
#[derive(Debug)]
pub enum Next<M, T> {
    /// A message to process; there is room for its replies.
    Ask(M, T),
    /// A message that kills ranks or ends everything; it is returned at once.
    Urgent(M),
    /// The link was closed in order, or broke (then with the error).
    End(Option<ProtocolError>),
}

/// The receiving half of the link to a peer that sends requests. Messages that cannot be processed yet are kept, up to
/// a limit; beyond it nothing is read.
#[derive(Debug)]
pub struct Ahead<M> {
    receiver: Receiver<M>,
    is_urgent: fn(&M) -> bool,
    kept: VecDeque<(usize, M)>,
    bytes: usize,
    /// A message has been processed: the first one, which identifies the peer, must precede all others.
    has_begun: bool,
    end: Option<Result<(), ProtocolError>>,
}

impl<M: Message> Ahead<M> {
    /// Reads ahead on a link; `is_urgent` is true for messages that kill ranks or end everything.
    pub fn new(receiver: Receiver<M>, is_urgent: fn(&M) -> bool) -> Self {
        Self { receiver, is_urgent, kept: VecDeque::new(), bytes: 0, has_begun: false, end: None }
    }

    /// Returns the receiving half, for example to name its peer.
    pub fn receiver(&self) -> &Receiver<M> {
        &self.receiver
    }

    /// Returns the next message: in order, each once `room` is ready; but the urgent ones at once, in order among
    /// themselves: a quit detaches from attached processes that an earlier request is to kill. They wait behind a
    /// detach: a quit may kill the ranks that it lets go. Cancel safe: no message is lost.
    pub async fn next<T>(&mut self, room: impl Future<Output = T>) -> Next<M, T> {
        tokio::pin!(room);
        loop {
            if self.kept.front().is_some_and(|(_, message)| (self.is_urgent)(message))
                && let Some((length, message)) = self.kept.pop_front()
            {
                self.bytes -= length;
                return Next::Urgent(message);
            }
            if self.kept.is_empty()
                && let Some(end) = self.end.take()
            {
                return Next::End(end.err());
            }
            tokio::select! {
                biased;
                place = &mut room, if !self.kept.is_empty() => {
                    let Some((length, message)) = self.kept.pop_front() else { continue };
                    self.bytes -= length;
                    self.has_begun = true;
                    return Next::Ask(message, place);
                }
                received = self.receiver.receive(), if self.end.is_none() && self.bytes < MOST_KEPT => match received {
                    Ok(Some(message)) => {
                        let length = self.receiver.length() + size_of::<M>();
                        self.bytes += length;
                        let place = self.place_of(&message);
                        self.kept.insert(place, (length, message));
                    }
                    Ok(None) => self.end = Some(Ok(())),
                    Err(fault) => self.end = Some(Err(fault)),
                },
            }
        }
    }

    /// Returns where a message joins those that are kept.
    fn place_of(&self, message: &M) -> usize {
        if !(self.is_urgent)(message) {
            return self.kept.len();
        }
        let first = usize::from(!self.has_begun).min(self.kept.len());
        let detach = self.kept.iter().rposition(|(_, kept)| matches!(kept.priority(), Priority::Detach(_)));
        let first = detach.map_or(first, |at| first.max(at + 1));
        let urgent = self.kept.iter().skip(first).take_while(|(_, kept)| (self.is_urgent)(kept));
        first + urgent.count()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Connection, Packet, Reply, Request, SessionCommand, WaitPolicy};
    use model::{Operation, ProcessSet, TransactionId};
    use std::future::{pending, ready};

    fn two() -> (crate::Sender<Packet>, Ahead<Packet>) {
        let (one, other) = tokio::io::duplex(1 << 20);
        let (sender, _) = Connection::over(one, "who listens").split::<Packet, Packet>();
        let (_, receiver) = Connection::over(other, "who asks").split::<Packet, Packet>();
        (sender, Ahead::new(receiver, |packet| packet.id < 2))
    }

    #[tokio::test]
    async fn kills_and_a_quit_are_heard_in_order_though_others_wait_before_them() {
        let (sender, mut ahead) = two();
        for (id, tid) in [(4, 0), (5, 1), (1, 2), (6, 3), (0, 4)] {
            sender.send(&Packet::new(id, TransactionId(tid))).unwrap();
        }
        // The first message keeps its place.
        while ahead.kept.len() < 5 {
            let next = ahead.next(pending::<()>());
            tokio::select! { biased; next = next => panic!("{next:?}"), () = tokio::task::yield_now() => {} }
        }
        assert!(matches!(ahead.next(ready(())).await, Next::Ask(packet, ()) if packet.id == 4));
        for tid in [2, 4] {
            assert!(
                matches!(ahead.next(pending::<()>()).await, Next::Urgent(packet) if packet.tid == TransactionId(tid))
            );
        }
        drop(sender);
        for id in [5, 6] {
            assert!(matches!(ahead.next(ready(())).await, Next::Ask(packet, ()) if packet.id == id));
        }
        assert!(matches!(ahead.next(pending::<()>()).await, Next::End(None)));
    }

    #[tokio::test]
    async fn a_quit_waits_behind_a_detach() {
        let (one, other) = tokio::io::duplex(1 << 20);
        let (sender, _) = Connection::over(one, "who listens").split::<Request, Reply>();
        let (_, receiver) = Connection::over(other, "who asks").split::<Reply, Request>();
        let mut ahead = Ahead::new(receiver, Request::is_urgent);
        let ask = |operation| {
            let (tid, ranks, wait) = (TransactionId(1), ProcessSet::all(1), WaitPolicy::All);
            Request::Ranks { tid, ranks, wait, operation }
        };
        let quit = Request::Session { tid: TransactionId(2), command: SessionCommand::Quit { kill: true } };
        let sent = [ask(Operation::Threads), ask(Operation::Detach), ask(Operation::Go), quit.clone()];
        for request in &sent {
            sender.send(request).unwrap();
            sender.flushed().await.unwrap();
        }
        while ahead.kept.len() < sent.len() {
            let next = ahead.next(pending::<()>());
            tokio::select! { biased; next = next => panic!("{next:?}"), () = tokio::task::yield_now() => {} }
        }
        for request in &sent[..2] {
            assert!(matches!(ahead.next(ready(())).await, Next::Ask(next, ()) if next == *request));
        }
        assert!(matches!(ahead.next(pending::<()>()).await, Next::Urgent(next) if next == quit));
    }
}
