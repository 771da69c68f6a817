//! What has been said: commands with what they came to, and what happened by itself.

use crate::model::Severity;
use std::collections::VecDeque;

const KEPT: usize = 5_000;

/// What a line of the log is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LogKind {
    /// A command the user gave.
    Command,
    /// What it came to.
    Result,
    /// What happened by itself.
    Event,
    /// Words of the debugger.
    Message(Severity),
}

/// A line of the log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogLine {
    /// What it is.
    pub kind: LogKind,
    /// The words.
    pub text: String,
}

/// The last lines, oldest first.
#[derive(Clone, Debug, Default)]
pub struct Log {
    lines: VecDeque<LogLine>,
}

impl Log {
    /// Adds a line.
    pub fn push(&mut self, kind: LogKind, text: impl Into<String>) {
        if self.lines.len() == KEPT {
            self.lines.pop_front();
        }
        self.lines.push_back(LogLine { kind, text: text.into() });
    }

    /// Number of lines.
    pub fn len(&self) -> usize {
        self.lines.len()
    }

    /// Whether nothing has been said.
    pub fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }

    /// A line.
    pub fn get(&self, index: usize) -> Option<&LogLine> {
        self.lines.get(index)
    }
}
