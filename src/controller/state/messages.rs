//! What the user was told unasked.

use model::{ProcessSet, Severity};
use std::collections::VecDeque;

const KEPT: usize = 2_000;

/// One thing the user was told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    /// How much it matters.
    pub severity: Severity,
    /// Of whom it speaks; empty: of the session.
    pub ranks: ProcessSet,
    /// A sentence.
    pub text: String,
}

/// The last messages, oldest first.
#[derive(Clone, Debug, Default)]
pub struct MessageLog {
    messages: VecDeque<Message>,
    total: u64,
}

impl MessageLog {
    /// Adds one; the oldest is given up when there are too many.
    pub fn push(&mut self, severity: Severity, ranks: ProcessSet, text: impl Into<String>) {
        if self.messages.len() == KEPT {
            self.messages.pop_front();
        }
        self.messages.push_back(Message { severity, ranks, text: text.into() });
        self.total += 1;
    }

    /// Those kept, oldest first.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &Message> + ExactSizeIterator {
        self.messages.iter()
    }

    /// The newest.
    pub fn last(&self) -> Option<&Message> {
        self.messages.back()
    }

    /// How many there have been, those given up included.
    pub fn total(&self) -> u64 {
        self.total
    }
}
