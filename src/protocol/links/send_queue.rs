//! The messages that wait to be written to one link, in the order in which they will be.

use crate::{Packet, Priority};
use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::Notify;
use tokio::time::timeout;

/// The packets of a link in the order they will be written. Senders add them, one writer takes them out.
#[derive(Default)]
pub(crate) struct SendQueue {
    state: Mutex<State>,
    /// Wakes the writer: there is something to do.
    work: Notify,
    /// Wakes senders: something has been written, or never will be.
    moved: Notify,
    /// Wakes the writer: the packets it is writing are no longer wanted.
    abandoned: Notify,
}

#[derive(Default)]
struct State {
    waiting: VecDeque<(Priority, Packet)>,
    bytes: usize,
    writing: bool,
    senders: usize,
    failed: Option<String>,
    /// The link failed because the other side does not read.
    given_up: bool,
}

/// The writer's next step.
pub(crate) enum Work {
    Packets(Vec<Packet>),
    /// No sender is left and everything is written.
    End,
}

impl SendQueue {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Inserts a packet where its priority allows; fails with the reason if the link can no longer be written to.
    pub(crate) fn push(&self, priority: Priority, packet: Packet) -> Result<(), String> {
        let mut state = self.state();
        if let Some(why) = &state.failed {
            return Err(why.clone());
        }
        let passed = state.waiting.iter().rev().take_while(|(earlier, _)| priority.passes(earlier)).count();
        let place = state.waiting.len() - passed;
        state.bytes += packet.length();
        state.waiting.insert(place, (priority, packet));
        drop(state);
        self.work.notify_one();
        Ok(())
    }

    /// Waits for packets and takes some from the front: at least one, and no more once `bytes` are reached.
    pub(crate) async fn take(&self, bytes: usize) -> Work {
        loop {
            {
                let mut state = self.state();
                state.writing = false;
                let (mut packets, mut taken) = (Vec::new(), 0);
                while taken < bytes
                    && let Some((_, packet)) = state.waiting.pop_front()
                {
                    taken += packet.length();
                    packets.push(packet);
                }
                state.bytes -= taken;
                state.writing = !packets.is_empty();
                let end = state.senders == 0;
                drop(state);
                self.moved.notify_waiters();
                if !packets.is_empty() {
                    return Work::Packets(packets);
                }
                if end {
                    return Work::End;
                }
            }
            self.work.notified().await;
        }
    }

    /// Closes the queue: nothing can be written any more.
    pub(crate) fn fail(&self, why: &str) {
        let mut state = self.state();
        state.failed.get_or_insert_with(|| why.to_owned());
        state.waiting.clear();
        state.bytes = 0;
        state.writing = false;
        drop(state);
        self.moved.notify_waiters();
    }

    /// Drops the queued packets and ends the link, because the other side does not read.
    pub(crate) fn give_up(&self, why: &str) {
        self.state().given_up = true;
        self.fail(why);
        self.abandoned.notify_one();
    }

    /// Waits for [`Self::give_up`].
    pub(crate) async fn until_given_up(&self) {
        self.abandoned.notified().await;
    }

    pub(crate) fn is_given_up(&self) -> bool {
        self.state().given_up
    }

    /// Returns the number of queued bytes.
    pub(crate) fn bytes(&self) -> usize {
        self.state().bytes
    }

    /// Waits until everything is written, as long as something goes out within each `patience`.
    pub(crate) async fn drained_while_read(&self, patience: Duration) -> Result<(), String> {
        let mut before = self.bytes();
        loop {
            if let Ok(outcome) = timeout(patience, self.drained_to(0)).await {
                return outcome;
            }
            let now = self.bytes();
            if now == before {
                return Err(format!("the peer has read nothing for {patience:?}, with {now} bytes queued"));
            }
            before = now;
        }
    }

    /// Waits until at most `bytes` are queued (and, for 0, the last ones are written); fails with the reason when that
    /// will never be.
    pub(crate) async fn drained_to(&self, bytes: usize) -> Result<(), String> {
        loop {
            let moved = self.moved.notified();
            {
                let state = self.state();
                if let Some(why) = &state.failed {
                    return Err(why.clone());
                }
                if state.bytes <= bytes && (bytes > 0 || !state.writing && state.waiting.is_empty()) {
                    return Ok(());
                }
            }
            moved.await;
        }
    }

    /// Adds a sender.
    pub(crate) fn enter(&self) {
        self.state().senders += 1;
    }

    /// Removes a sender.
    pub(crate) fn leave(&self) {
        self.state().senders -= 1;
        self.work.notify_one();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use model::{ProcessSet, TransactionId};

    fn packet(tid: u32) -> Packet {
        Packet::new(600, TransactionId(tid))
    }

    async fn order(queue: &SendQueue) -> Vec<u32> {
        match queue.take(usize::MAX).await {
            Work::Packets(packets) => packets.iter().map(|packet| packet.tid.0).collect(),
            Work::End => Vec::new(),
        }
    }

    #[tokio::test]
    async fn an_interrupt_goes_before_data_and_after_the_go_it_is_to_stop() {
        let queue = SendQueue::default();
        let ranks = ProcessSet::all(4);
        queue.push(Priority::Ordinary, packet(1)).unwrap();
        queue.push(Priority::RunControl(ranks.clone()), packet(2)).unwrap();
        queue.push(Priority::Ordinary, packet(3)).unwrap();
        queue.push(Priority::Ordinary, packet(4)).unwrap();
        queue.push(Priority::Interrupt(ranks), packet(5)).unwrap();
        queue.push(Priority::Interrupt(ProcessSet::range(8, 9)), packet(6)).unwrap();
        queue.push(Priority::Terminate, packet(7)).unwrap();
        assert_eq!(order(&queue).await, [7, 6, 1, 2, 5, 3, 4]);
    }

    #[tokio::test]
    async fn portions_are_bounded_and_the_end_comes_after_the_last() {
        let queue = SendQueue::default();
        for tid in 0..3 {
            queue.push(Priority::Ordinary, packet(tid)).unwrap();
        }
        assert_eq!(queue.state().bytes, 69);
        let Work::Packets(first) = queue.take(24).await else { panic!("ended") };
        assert_eq!(first.len(), 2);
        assert!(matches!(queue.take(24).await, Work::Packets(rest) if rest.len() == 1));
        assert!(matches!(queue.take(24).await, Work::End));
        queue.drained_to(0).await.unwrap();
    }

    #[tokio::test]
    async fn a_failed_link_says_why_to_all() {
        let queue = SendQueue::default();
        queue.push(Priority::Ordinary, packet(1)).unwrap();
        queue.fail("broken pipe");
        assert_eq!(queue.push(Priority::Ordinary, packet(2)), Err("broken pipe".into()));
        assert_eq!(queue.drained_to(0).await, Err("broken pipe".into()));
    }

    #[tokio::test]
    async fn who_does_not_read_is_not_waited_for_at_the_end() {
        let queue = SendQueue::default();
        queue.push(Priority::Ordinary, packet(1)).unwrap();
        let patience = Duration::from_millis(1);
        assert!(queue.drained_while_read(patience).await.unwrap_err().contains("23 bytes queued"));
        queue.give_up("it stopped reading");
        assert_eq!((queue.bytes(), queue.is_given_up()), (0, true));
        assert_eq!(queue.drained_while_read(patience).await, Err("it stopped reading".into()));
        queue.until_given_up().await;
    }
}
