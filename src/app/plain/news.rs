//! What happens to ranks, until it can be said: not in the middle of what is being typed, and once for all ranks.

use controller::Content;
use controller::report::{Coalescer, Report};
use model::ProcessSet;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Ranks do the same at almost the same time.
const TOGETHER: Duration = Duration::from_millis(40);
/// The same while ranks run that may do it, too.
const MOVING: Duration = Duration::from_millis(300);
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

    /// Returns when they are to be said; `typed` is the time of the last key of a line that is not empty, and `is_moving` says
    /// that ranks of the focus still run.
    pub(super) fn due(&self, typed: Option<Instant>, is_moving: bool) -> Option<Instant> {
        let pause = if is_moving { MOVING } else { TOGETHER };
        let due = (self.last? + pause).min(self.held.since()? + LONGEST);
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

    /// Takes them. That ranks run is not worth a line if they have stopped again.
    pub(super) fn take(&mut self) -> Vec<Report> {
        let (Some(last), held) = (self.last.take(), self.held.take()) else { return Vec::new() };
        let mut arrived = ProcessSet::new();
        let mut kept = Vec::new();
        for mut report in held.into_iter().rev() {
            match &mut report.content {
                Content::Running(ranks) => {
                    ranks.remove_all(&arrived);
                    if ranks.is_empty() {
                        continue;
                    }
                }
                Content::Stopped(ranks, _) | Content::Exited(ranks, _) | Content::Killed(ranks, _) => {
                    arrived.extend_with(ranks);
                }
                _ => {}
            }
            kept.push(report);
        }
        // What was between the events of other ranks has kept them apart.
        let mut joined = Coalescer::default();
        kept.into_iter().rev().for_each(|report| joined.push(report, last));
        joined.take()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use model::Rank;
    use model::aif::FormatOptions;

    #[test]
    fn nothing_is_said_while_a_line_is_typed_and_all_at_once_after_it() {
        let begin = Instant::now();
        let at = |millis| begin + Duration::from_millis(millis);
        let mut news = News::default();
        assert_eq!(news.due(None, true), None);
        for rank in 0..20 {
            let content = Content::Exited(ProcessSet::one(Rank(rank)), 0);
            news.push(Report { origin: None, content, limits: FormatOptions::default() }, at(u64::from(rank) * 50));
        }
        assert_eq!(news.due(None, true), Some(at(800)), "there is always more");
        assert_eq!(news.due(Some(at(700)), true), Some(at(2200)));
        let told = news.take();
        assert_eq!(told.len(), 1);
        assert_eq!(told[0].content, Content::Exited(ProcessSet::all(20), 0));
        assert!(news.is_empty() && news.due(None, true).is_none());
    }

    #[test]
    fn ranks_that_run_and_stop_one_by_one_are_said_to_have_stopped_together() {
        let now = Instant::now();
        let mut news = News::default();
        let ranks = |text: &str| ProcessSet::parse(text).unwrap();
        for content in [
            Content::Running(ranks("1-3")),
            Content::Exited(ranks("1-2"), 0),
            Content::Running(ranks("0")),
            Content::Exited(ranks("0"), 0),
        ] {
            news.push(Report { origin: None, content, limits: FormatOptions::default() }, now);
        }
        let told: Vec<Content> = news.take().into_iter().map(|report| report.content).collect();
        assert_eq!(told, [Content::Running(ranks("3")), Content::Exited(ranks("0-2"), 0)]);
    }
}
