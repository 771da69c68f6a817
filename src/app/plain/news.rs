//! What happens to ranks, until it can be said: not in the middle of what is being typed, and once for all ranks.

use controller::Content;
use controller::report::{Coalescer, Report};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Ranks do the same at almost the same time.
const TOGETHER: Duration = Duration::from_millis(80);
/// The longest time that something is held back while more and more happens.
const LONGEST: Duration = Duration::from_millis(800);
/// Somebody who has not typed for so long listens.
const TYPES: Duration = Duration::from_millis(1500);

/// Events that have not been said.
#[derive(Debug, Default)]
pub(super) struct News {
    held: Coalescer,
    last: Option<Instant>,
}

impl News {
    pub(super) fn push(&mut self, report: Report, now: Instant) {
        self.held.push(report, now);
        self.last = Some(now);
    }

    pub(super) fn is_empty(&self) -> bool {
        self.last.is_none()
    }

    /// Returns when they are to be said; `typed` is the time of the last key of a line that is not empty.
    pub(super) fn due(&self, typed: Option<Instant>) -> Option<Instant> {
        let due = (self.last? + TOGETHER).min(self.held.since()? + LONGEST);
        Some(typed.map_or(due, |typed| due.max(typed + TYPES)))
    }

    /// The files of the places at which ranks have stopped.
    pub(super) fn files(&self) -> Vec<Arc<str>> {
        let place = |report: &Report| match &report.content {
            Content::Stopped(_, stop) => stop.shown_frame().source.as_ref().map(|place| place.file.clone()),
            _ => None,
        };
        self.held.held().iter().filter_map(place).collect()
    }

    pub(super) fn take(&mut self) -> Vec<Report> {
        self.last = None;
        self.held.take()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use model::aif::FormatOptions;
    use model::{ProcessSet, Rank};

    #[test]
    fn nothing_is_said_while_a_line_is_typed_and_all_at_once_after_it() {
        let begin = Instant::now();
        let at = |millis| begin + Duration::from_millis(millis);
        let mut news = News::default();
        assert_eq!(news.due(None), None);
        for rank in 0..20 {
            let content = Content::Exited(ProcessSet::one(Rank(rank)), 0);
            news.push(Report { origin: None, content, limits: FormatOptions::default() }, at(u64::from(rank) * 50));
        }
        assert_eq!(news.due(None), Some(at(800)), "there is always more");
        assert_eq!(news.due(Some(at(700))), Some(at(2200)));
        let told = news.take();
        assert_eq!(told.len(), 1);
        assert_eq!(told[0].content, Content::Exited(ProcessSet::all(20), 0));
        assert!(news.is_empty() && news.due(None).is_none());
    }
}
