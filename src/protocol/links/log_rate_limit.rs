//! Limits the log of refusals: the first of each period in full, the others as a count, so that ten thousand connection
//! attempts do not fill the log.

use std::time::{Duration, Instant};

/// The length of a period.
const WHILE: Duration = Duration::from_secs(10);
/// Refusals logged in full in each period.
const TOLD: u64 = 5;

#[derive(Debug, Default)]
pub(crate) struct LogRateLimit {
    since: Option<Instant>,
    count: u64,
    last: String,
}

impl LogRateLimit {
    /// Counts a refusal; returns the text if it should be logged now.
    pub(crate) fn note(&mut self, now: Instant, why: String) -> Option<String> {
        self.since.get_or_insert(now);
        self.count += 1;
        if self.count <= TOLD {
            return Some(why);
        }
        self.last = why;
        None
    }

    /// Returns the time at which [`Self::summary`] has something to report.
    pub(crate) fn due(&self) -> Option<Instant> {
        self.since.map(|since| since + WHILE)
    }

    /// Begins a new period if the present one is over; returns the count of refusals not logged in it.
    pub(crate) fn summary(&mut self, now: Instant) -> Option<String> {
        if self.due().is_none_or(|due| now < due) {
            return None;
        }
        let over = std::mem::take(self);
        let more = over.count.saturating_sub(TOLD);
        (more > 0).then(|| format!("{more} more within {} s, the last: {}", WHILE.as_secs(), over.last))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_few_are_told_and_the_others_counted() {
        let (mut refusals, start) = (LogRateLimit::default(), Instant::now());
        assert_eq!(refusals.due(), None);
        let told: Vec<_> = (0..10_000).filter_map(|n| refusals.note(start, format!("peer {n}"))).collect();
        assert_eq!(told, ["peer 0", "peer 1", "peer 2", "peer 3", "peer 4"]);
        assert_eq!((refusals.due(), refusals.summary(start)), (Some(start + WHILE), None));
        let words = refusals.summary(start + WHILE);
        assert_eq!(words.as_deref(), Some("9995 more within 10 s, the last: peer 9999"));
        // A new period begins.
        assert_eq!(refusals.due(), None);
        assert_eq!(refusals.note(start + WHILE, "peer".into()).as_deref(), Some("peer"));
        assert_eq!(refusals.summary(start + 2 * WHILE), None, "all of it was told");
    }
}
