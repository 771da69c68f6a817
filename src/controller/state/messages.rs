//! The unrequested messages to the user.

use model::{ProcessSet, Severity};
use std::collections::VecDeque;

const KEPT: usize = 2_000;

/// An unrequested message to the user.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    /// The importance of the message.
    pub severity: Severity,
    /// The ranks concerned; empty: the session.
    pub ranks: ProcessSet,
    /// The message, a sentence.
    pub text: String,
}

/// The last messages, oldest first.
#[derive(Clone, Debug, Default)]
pub struct MessageLog {
    messages: VecDeque<Message>,
    total: u64,
}

impl MessageLog {
    /// Adds a message; drops the oldest if there are too many.
    pub fn push(&mut self, severity: Severity, ranks: ProcessSet, text: impl Into<String>) {
        if self.messages.len() == KEPT {
            self.messages.pop_front();
        }
        self.messages.push_back(Message { severity, ranks, text: text.into() });
        self.total += 1;
    }

    /// Iterates over the kept messages, oldest first.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &Message> + ExactSizeIterator {
        self.messages.iter()
    }

    /// Returns the newest message.
    pub fn last(&self) -> Option<&Message> {
        self.messages.back()
    }

    /// Returns the number of messages so far, dropped ones included.
    pub fn total(&self) -> u64 {
        self.total
    }
}
