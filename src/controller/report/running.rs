//! Suppresses repeated text messages about ranks that do not reply because they run.

use super::{Content, Report};
use model::ProcessSet;

/// The reason why a running rank does not reply, with the next step.
pub const STILL_RUNNING: &str = "still running (halt or wait first)";

/// Ranks reported as running that have not stopped since.
#[derive(Debug, Default)]
pub struct KnownToRun(ProcessSet);

impl KnownToRun {
    /// Records a report; true if it only repeats that ranks are running.
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
