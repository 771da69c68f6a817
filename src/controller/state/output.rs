//! The output of the ranks, line by line, bounded.

use model::{ProcessSet, Stream};
use std::collections::VecDeque;
use std::time::Duration;

/// The most bytes of text that are kept, whatever the number of lines: a program may write lines of any length.
const MOST_BYTES: usize = 64 << 20;
/// Longer lines are split.
const LONGEST_LINE: usize = 64 << 10;
/// The most lines searched for an unfinished one: older ones stay as they are.
const SEARCHED: usize = 256;

/// A line of output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutputLine {
    /// The ranks that wrote it.
    pub ranks: ProcessSet,
    /// The stream to which it was written.
    pub stream: Stream,
    /// The text without its newline.
    pub text: String,
    /// True if the newline was written.
    pub complete: bool,
    /// The time of its first part, from the start of the front end.
    pub after: Duration,
    /// True if nobody wrote it: it sets the next run of the job apart from the one before.
    pub begins_run: bool,
}

/// The last lines of output, oldest first.
#[derive(Clone, Debug, Default)]
pub struct OutputLog {
    lines: VecDeque<OutputLine>,
    bytes: usize,
    dropped: u64,
}

impl OutputLog {
    /// Adds output: whole lines or parts of one.
    pub fn push(&mut self, ranks: &ProcessSet, stream: Stream, text: &str, after: Duration) {
        for piece in text.split_inclusive('\n') {
            let (text, complete) = piece.strip_suffix('\n').map_or((piece, false), |line| (line, true));
            let text = text.strip_suffix('\r').filter(|_| complete).unwrap_or(text);
            self.bytes += text.len();
            let open = self
                .lines
                .iter_mut()
                .rev()
                .take(SEARCHED)
                .find(|line| !line.complete && line.stream == stream && line.ranks == *ranks);
            match open {
                Some(line) if line.text.len() + text.len() <= LONGEST_LINE => {
                    line.text.push_str(text);
                    line.complete = complete;
                }
                open => {
                    if let Some(line) = open {
                        line.complete = true;
                    }
                    self.lines.push_back(OutputLine {
                        ranks: ranks.clone(),
                        stream,
                        text: text.to_owned(),
                        complete,
                        after,
                        begins_run: false,
                    });
                }
            }
        }
    }

    /// Sets the output of the next run apart: nothing is appended to the lines of the one before.
    pub fn begin_run(&mut self, ranks: ProcessSet, after: Duration) {
        for line in self.lines.iter_mut().rev().take(SEARCHED) {
            line.complete = true;
        }
        if self.lines.back().is_none_or(|last| last.begins_run) {
            return;
        }
        let text = "started again".to_owned();
        self.bytes += text.len();
        let line = OutputLine { ranks, stream: Stream::Stdout, text, complete: true, after, begins_run: true };
        self.lines.push_back(line);
    }

    /// Drops the oldest lines until at most `lines` are kept.
    pub fn keep(&mut self, lines: usize) {
        while (self.lines.len() > lines || self.bytes > MOST_BYTES)
            && let Some(oldest) = self.lines.pop_front()
        {
            self.bytes -= oldest.text.len();
            self.dropped += 1;
        }
    }

    /// Iterates over the kept lines, oldest first.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &OutputLine> + ExactSizeIterator {
        self.lines.iter()
    }

    /// Returns a kept line by its index.
    pub fn get(&self, index: usize) -> Option<&OutputLine> {
        self.lines.get(index)
    }

    /// Returns the number of kept lines.
    pub fn len(&self) -> usize {
        self.lines.len()
    }

    /// True if no line is kept.
    pub fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }

    /// Returns the number of dropped lines.
    pub fn dropped(&self) -> u64 {
        self.dropped
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: Duration = Duration::ZERO;

    #[test]
    fn parts_of_a_line_are_joined_by_who_wrote_them() {
        let mut log = OutputLog::default();
        let (a, b) = (ProcessSet::range(0, 1), ProcessSet::range(1, 2));
        log.push(&a, Stream::Stdout, "it ", NOW);
        log.push(&b, Stream::Stdout, "it 1\n", NOW);
        log.push(&a, Stream::Stderr, "oh\n", NOW);
        log.push(&a, Stream::Stdout, "0\nit 2\r\n", NOW);
        let lines: Vec<_> =
            log.iter().map(|line| (line.ranks.to_string(), line.text.as_str(), line.complete)).collect();
        assert_eq!(
            lines,
            [
                ("0".to_owned(), "it 0", true),
                ("1".to_owned(), "it 1", true),
                ("0".to_owned(), "oh", true),
                ("0".to_owned(), "it 2", true)
            ]
        );
    }

    #[test]
    fn a_line_sets_two_runs_apart() {
        let mut log = OutputLog::default();
        let all = ProcessSet::range(0, 2);
        log.begin_run(all.clone(), NOW);
        assert!(log.is_empty(), "there is nothing to set apart");
        log.push(&all, Stream::Stdout, "cut of", NOW);
        log.begin_run(all.clone(), NOW);
        log.begin_run(all.clone(), NOW);
        log.push(&all, Stream::Stdout, "f\n", NOW);
        let lines: Vec<_> = log.iter().map(|line| (line.text.as_str(), line.begins_run)).collect();
        assert_eq!(lines, [("cut of", false), ("started again", true), ("f", false)]);
    }

    #[test]
    fn it_is_bounded() {
        let mut log = OutputLog::default();
        let rank = ProcessSet::range(0, 1);
        for i in 0..30 {
            log.push(&rank, Stream::Stdout, &format!("{i}\n"), NOW);
            log.keep(20);
        }
        assert_eq!((log.len(), log.dropped()), (20, 10));
        assert_eq!(log.get(0).map(|line| line.text.as_str()), Some("10"));
        log.keep(1);
        assert_eq!((log.len(), log.dropped()), (1, 29));
        // Output that never has a newline fills no more memory than other output.
        for _ in 0..3 * MOST_BYTES / LONGEST_LINE {
            log.push(&rank, Stream::Stdout, &"x".repeat(LONGEST_LINE / 2), NOW);
            log.keep(20_000);
        }
        assert!(log.iter().map(|line| line.text.len()).sum::<usize>() <= MOST_BYTES);
        assert!(log.iter().all(|line| line.text.len() <= LONGEST_LINE));
        assert!(log.dropped() > 29);
    }
}
