//! The stages of a job's life.

use super::assembly::{Assembly, Stage};
use super::ending::Ending;
use crate::routing::dialling::Dialling;
use std::time::{Duration, Instant};

/// Time limit for local servers and ranks to start. A launcher may queue for hours and has no limit.
pub(super) const LOCAL_LIMIT: Duration = Duration::from_secs(60);
/// Interval between reads of a launcher's output while its ranks are awaited, or write through it.
pub(super) const LAUNCHER_POLL: Duration = Duration::from_millis(100);

pub(super) enum Job {
    None,
    Assembling(Box<Assembly>),
    /// All ranks have started; they may have ended.
    Running,
    Ending(Ending),
}

impl Job {
    pub(super) fn is_assembling(&self) -> bool {
        matches!(self, Self::Assembling(_))
    }

    /// Returns when something happens by itself.
    pub(super) fn deadline(&self, dialling: Dialling) -> Option<Instant> {
        match self {
            Self::None | Self::Running => None,
            Self::Assembling(assembly) => {
                let looks = assembly.servers.is_none() || (dialling.is_down() && assembly.stage == Stage::Gathering);
                let poll = looks.then(|| Instant::now() + LAUNCHER_POLL);
                assembly.deadline().into_iter().chain(poll).min()
            }
            Self::Ending(ending) => Some(ending.next_look()),
        }
    }
}
