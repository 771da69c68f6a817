//! Ranks that give no answer because they run: as text, that is said once.

use super::{Content, Report};
use model::ProcessSet;

/// Why a rank that runs gives no answer, and what to do.
pub const STILL_RUNNING: &str = "still running (halt or wait first)";

/// Ranks of which it was said that they run, and which have run since.
#[derive(Debug, Default)]
pub struct KnownToRun(ProcessSet);

impl KnownToRun {
    /// Takes in a report; whether it only says again that ranks run.
    pub fn says_again(&mut self, report: &Report) -> bool {
        match &report.content {
            Content::Missing(ranks, why) if why == STILL_RUNNING => {
                let known = ranks.is_subset(&self.0);
                self.0.extend_with(ranks);
                known
            }
            Content::Stopped(ranks, _)
            | Content::Exited(ranks, _)
            | Content::Killed(ranks, _)
            | Content::Detached(ranks)
            | Content::Lost { ranks, .. } => {
                self.0.remove_all(ranks);
                false
            }
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use model::aif::FormatOptions;

    #[test]
    fn that_ranks_run_is_said_once_until_they_have_stopped() {
        let mut known = KnownToRun::default();
        let mut again = |content| known.says_again(&Report { origin: None, content, limits: FormatOptions::default() });
        let missing = |ranks: ProcessSet, why: &str| Content::Missing(ranks, why.to_owned());
        assert!(!again(missing(ProcessSet::range(1, 4), STILL_RUNNING)));
        assert!(again(missing(ProcessSet::range(1, 4), STILL_RUNNING)));
        assert!(again(missing(ProcessSet::range(2, 3), STILL_RUNNING)));
        assert!(!again(missing(ProcessSet::range(1, 4), "no reply within 5 s")));
        assert!(!again(missing(ProcessSet::range(1, 5), STILL_RUNNING)), "rank 4 is new");
        assert!(!again(Content::Exited(ProcessSet::range(2, 3), 0)));
        assert!(!again(missing(ProcessSet::range(1, 5), STILL_RUNNING)));
    }
}
