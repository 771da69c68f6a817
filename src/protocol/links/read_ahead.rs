//! Reading on while what was read waits: the word that ends everything is heard though commands wait before it.

use crate::{Message, ProtocolError, Receiver};
use std::collections::VecDeque;

/// Bytes that are kept of what was read and must wait, the memory for them included.
const MOST_KEPT: usize = 16 << 20;

/// What comes next from one who asks.
#[derive(Debug)]
pub enum Next<M, T> {
    /// It is to be taken up, and there is room for it.
    Ask(M, T),
    /// It ends everything, and does not wait.
    Last(M),
    /// Nothing comes any more: the link was closed in order, or broke.
    End(Option<ProtocolError>),
}

/// The reading half of the link of one who asks. What is read and cannot be taken up yet is kept, up to a limit; beyond it,
/// nothing is read.
#[derive(Debug)]
pub struct Ahead<M> {
    receiver: Receiver<M>,
    is_last: fn(&M) -> bool,
    kept: VecDeque<(usize, M)>,
    bytes: usize,
    /// Something has been taken up: the first word, which says who somebody is, goes before all others.
    has_begun: bool,
    end: Option<Result<(), ProtocolError>>,
}

impl<M: Message> Ahead<M> {
    /// Over a link; `is_last` says of what comes whether it ends everything.
    pub fn new(receiver: Receiver<M>, is_last: fn(&M) -> bool) -> Self {
        Self { receiver, is_last, kept: VecDeque::new(), bytes: 0, has_begun: false, end: None }
    }

    /// The link.
    pub fn receiver(&self) -> &Receiver<M> {
        &self.receiver
    }

    /// What comes next: in order, each when there is `room` for it; but what ends everything at once. May be given up at any
    /// await without losing a message.
    pub async fn next<T>(&mut self, room: impl Future<Output = T>) -> Next<M, T> {
        tokio::pin!(room);
        loop {
            if self.kept.front().is_some_and(|(_, message)| (self.is_last)(message))
                && let Some((length, message)) = self.kept.pop_front()
            {
                self.bytes -= length;
                return Next::Last(message);
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
                        let waits = if self.has_begun { 0 } else { 1 };
                        let place = if (self.is_last)(&message) { waits } else { self.kept.len() };
                        self.kept.insert(place.min(self.kept.len()), (length, message));
                    }
                    Ok(None) => self.end = Some(Ok(())),
                    Err(fault) => self.end = Some(Err(fault)),
                },
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Connection, Packet};
    use model::TransactionId;
    use std::future::{pending, ready};

    fn two() -> (crate::Sender<Packet>, Ahead<Packet>) {
        let (one, other) = tokio::io::duplex(1 << 20);
        let (sender, _) = Connection::over(one, "who listens").split::<Packet, Packet>();
        let (_, receiver) = Connection::over(other, "who asks").split::<Packet, Packet>();
        (sender, Ahead::new(receiver, |packet| packet.id == 0))
    }

    #[tokio::test]
    async fn the_last_word_is_heard_though_others_wait_before_it() {
        let (sender, mut ahead) = two();
        for (id, tid) in [(4, 0), (5, 1), (6, 2), (0, 3)] {
            sender.send(&Packet::new(id, TransactionId(tid))).unwrap();
        }
        // The first one keeps its place.
        while ahead.kept.len() < 4 {
            let next = ahead.next(pending::<()>());
            tokio::select! { biased; next = next => panic!("{next:?}"), () = tokio::task::yield_now() => {} }
        }
        assert!(matches!(ahead.next(ready(())).await, Next::Ask(packet, ()) if packet.id == 4));
        assert!(matches!(ahead.next(pending::<()>()).await, Next::Last(packet) if packet.tid == TransactionId(3)));
        drop(sender);
        for id in [5, 6] {
            assert!(matches!(ahead.next(ready(())).await, Next::Ask(packet, ()) if packet.id == id));
        }
        assert!(matches!(ahead.next(pending::<()>()).await, Next::End(None)));
    }
}
