//! The answer of `why`: a verdict, the ranks to look at first, and who waits for whom.

use super::situation::{Place, Source, Text};
use model::ProcessSet;

/// The state of a job in one word. After one look, a deadlock or a mismatch is only likely: [`Why::samples`] tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Ranks wait for each other.
    Deadlock,
    /// Ranks take part in different collective operations.
    Mismatch,
    /// Ranks wait for ranks that have ended.
    Ended,
    /// Ranks wait for ranks that wait for another thread or process.
    Lock,
    /// Ranks wait for ranks that read or write.
    Io,
    /// Ranks wait for ranks that are computing, or no rank waits and some compute.
    Computing,
    /// Ranks wait for ranks that are running.
    Running,
    /// Ranks wait for ranks that are elsewhere.
    Missing,
    /// No rank waits for another.
    None,
}

impl Verdict {
    /// The word for it in batch output.
    pub fn word(self) -> &'static str {
        match self {
            Self::Deadlock => "deadlock",
            Self::Mismatch => "mismatch",
            Self::Ended => "ended",
            Self::Lock => "lock",
            Self::Io => "io",
            Self::Computing => "computing",
            Self::Running => "running",
            Self::Missing => "missing",
            Self::None => "none",
        }
    }
}

/// Ranks that wait for the same ranks in the same place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edge {
    /// The waiting ranks.
    pub from: ProcessSet,
    /// The ranks for which they wait; empty if those are unknown.
    pub to: ProcessSet,
    /// The place of the wait.
    pub place: Place,
    /// The name of the communicator; `None` if the call has none or it is unknown.
    pub communicator: Option<String>,
    /// How it is known.
    pub source: Source,
    /// The source text of the call.
    pub text: Text,
    /// True if one of the ranks awaited is enough.
    pub any: bool,
}

/// How far those ranks have got that have run since the last look.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Since {
    /// They are elsewhere, or in another round of a loop.
    pub moved: ProcessSet,
    /// They are where they were, though each has had a processor or slept. Those that compute may have got further.
    pub unmoved: ProcessSet,
    /// They have been continued, but have hardly had a processor.
    pub unobserved: ProcessSet,
}

impl Since {
    /// True if no rank has run.
    pub fn is_empty(&self) -> bool {
        self.moved.is_empty() && self.unmoved.is_empty() && self.unobserved.is_empty()
    }
}

/// The answer to `why`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Why {
    /// The ranks whose waits are explained.
    pub ranks: ProcessSet,
    /// The state of the job.
    pub verdict: Verdict,
    /// The ranks to look at first.
    pub guilty: ProcessSet,
    /// One to five lines for people.
    pub text: Vec<String>,
    /// Who waits for whom.
    pub edges: Vec<Edge>,
    /// The times that the ranks to look at were seen like this, having run in between; 2 stands for more, too.
    pub samples: u32,
    /// The ranks of the question, and those for which they wait, since the last look.
    pub since: Since,
}
