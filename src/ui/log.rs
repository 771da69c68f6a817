//! The log: commands with their results, and events.

use controller::Report;
use controller::report::{join, text_lines};
use model::Severity;
use std::collections::VecDeque;

const KEPT: usize = 5_000;

/// The kind of a line of the log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LogKind {
    /// A command the user gave.
    Command,
    /// A line of a command's result.
    Result,
    /// An event that no command asked for, such as a stop.
    Event,
    /// A message of the debugger.
    Message(Severity),
}

/// A line of the log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogLine {
    /// The kind, which decides the colour.
    pub kind: LogKind,
    /// The text, without the kind.
    pub text: String,
}

/// The last lines of the log, oldest first.
#[derive(Clone, Debug, Default)]
pub struct Log {
    lines: VecDeque<LogLine>,
    /// Lines dropped so far, as the oldest of more than `KEPT`.
    dropped: usize,
    /// The last events, with the number of the first line of each; cleared by any other line.
    events: VecDeque<(Report, usize)>,
}

/// Number of recent events searched for one of other ranks to join with.
const JOINED: usize = 16;

impl Log {
    /// Adds a line that is no event.
    pub fn push(&mut self, kind: LogKind, text: impl Into<String>) {
        self.events.clear();
        self.push_line(kind, text.into());
    }

    /// Adds an event, joined with the same event of other ranks if there is one. Returns its lines as they are now.
    pub fn happened(&mut self, kind: LogKind, report: &Report) -> Vec<String> {
        if let Some(back) = join(self.events.iter_mut().rev().map(|event| &mut event.0), report)
            && let Some((joined, first)) = self.events.iter().nth_back(back)
        {
            let lines = text_lines(joined);
            for (number, text) in (*first..).zip(&lines) {
                if let Some(line) = number.checked_sub(self.dropped).and_then(|index| self.lines.get_mut(index)) {
                    line.text.clone_from(text);
                }
            }
            return lines;
        }
        let lines = text_lines(report);
        if !lines.is_empty() {
            if self.events.len() == JOINED {
                self.events.pop_front();
            }
            self.events.push_back((report.clone(), self.dropped + self.lines.len()));
        }
        for line in &lines {
            self.push_line(kind, line.clone());
        }
        lines
    }

    fn push_line(&mut self, kind: LogKind, text: String) {
        if self.lines.len() == KEPT {
            self.lines.pop_front();
            self.dropped += 1;
        }
        self.lines.push_back(LogLine { kind, text });
    }

    /// Lines dropped so far.
    pub fn dropped(&self) -> usize {
        self.dropped
    }

    /// Number of lines.
    pub fn len(&self) -> usize {
        self.lines.len()
    }

    /// True if nothing has been logged, or all of it was dropped.
    pub fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }

    /// The line at an index, counted from the oldest kept.
    pub fn get(&self, index: usize) -> Option<&LogLine> {
        self.lines.get(index)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use controller::Content;
    use model::ProcessSet;
    use model::aif::FormatOptions;

    #[test]
    fn what_happens_to_rank_after_rank_is_one_line() {
        let mut log = Log::default();
        let failed = |rank: u32, why: &str| Report {
            origin: None,
            content: Content::Failed(ProcessSet::range(rank, rank + 1), why.to_owned()),
            limits: FormatOptions::default(),
        };
        for rank in 0..16 {
            log.happened(
                LogKind::Event,
                &failed(rank, &format!("cannot trace process {}: it no longer exists", 100 + rank)),
            );
        }
        assert_eq!(log.len(), 1);
        assert_eq!(log.get(0).unwrap().text, "[0-15] failed: cannot trace processes 100-115: it no longer exists");
        // Lines of a command since then stay where they are.
        log.push(LogKind::Command, "status");
        log.happened(LogKind::Event, &failed(16, "cannot trace process 116: it no longer exists"));
        assert_eq!(log.len(), 3);
        assert_eq!(log.get(2).unwrap().text, "[16] failed: cannot trace process 116: it no longer exists");
    }
}
