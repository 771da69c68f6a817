//! The log: commands with their results, and events.

use controller::report::{join, text_lines};
use controller::{Content, Report};
use model::{Breakpoint, ProcessSet, Severity};
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
        self.drop_partial(report);
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

    /// Drops the recent state of a breakpoint that only some of its ranks had set: after a restart they set it one by
    /// one, and only the last state is of interest.
    fn drop_partial(&mut self, report: &Report) {
        let Content::Breakpoint(new) = &report.content else { return };
        let is_partial = |(known, _): &(Report, usize)| match &known.content {
            Content::Breakpoint(old) => old.request.id == new.request.id && !is_everywhere(old),
            _ => false,
        };
        let Some(index) = self.events.iter().position(is_partial) else { return };
        let Some((old, first)) = self.events.remove(index) else { return };
        let count = text_lines(&old).len();
        let Some(start) = first.checked_sub(self.dropped).filter(|start| start + count <= self.lines.len()) else {
            return;
        };
        self.lines.drain(start..start + count);
        for (_, later) in self.events.iter_mut().skip(index) {
            *later = later.saturating_sub(count);
        }
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

/// True if all ranks of a breakpoint have set it.
fn is_everywhere(breakpoint: &Breakpoint) -> bool {
    let placed = breakpoint.sites.iter().map(|(ranks, _)| ranks);
    let set = placed.chain(breakpoint.armed.iter().map(|(ranks, _)| ranks));
    breakpoint.ranks.is_subset(&set.fold(ProcessSet::new(), |sum, ranks| sum.union(ranks)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use model::aif::FormatOptions;
    use model::{BreakpointId, BreakpointRequest, LocationSpec, Point, Site};

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

    #[test]
    fn a_breakpoint_that_ranks_set_one_by_one_is_one_message() {
        let request = |id| BreakpointRequest::at(BreakpointId(id), Point::Place(LocationSpec::Function("f".into())));
        let site = Site { module: None, offset: 16, address: None, function: None, source: None };
        let set_on = |id, ranks: u32| {
            let mut breakpoint = Breakpoint::asked(request(id), ProcessSet::all(4));
            breakpoint.sites = vec![(ProcessSet::all(ranks), site.clone())];
            Report { origin: None, content: Content::Breakpoint(breakpoint), limits: FormatOptions::default() }
        };
        let mut log = Log::default();
        for report in [set_on(1, 1), set_on(2, 1), set_on(1, 3), set_on(2, 4), set_on(1, 4)] {
            log.happened(LogKind::Event, &report);
        }
        let lines: Vec<&str> = log.lines.iter().map(|line| line.text.as_str()).collect();
        assert_eq!(lines, ["[0-3] breakpoint 2: f", "[0-3] breakpoint 1: f"]);
    }
}
