//! Places that commands and the screen mean without naming them in full.

use super::State;
use model::{LocationSpec, ProcessState, Rank, SourcePlace, ThreadId};
use std::sync::Arc;

/// Lines of a file that `list` showed.
#[derive(Clone, Debug)]
pub struct Listed {
    /// As it was named.
    pub file: Arc<str>,
    /// The first of them.
    pub first: u32,
    /// The line after the last.
    pub next: u32,
}

impl State {
    /// A line without a file is one of the file that was listed, or of the shown one.
    pub fn completed(&self, location: LocationSpec) -> LocationSpec {
        match (location, &self.listed) {
            (LocationSpec::Line(line), Some(listed)) => LocationSpec::FileLine { file: listed.file.to_string(), line },
            (other, _) => self.of_shown(other),
        }
    }

    /// A line without a file is one of the shown file.
    pub fn of_shown(&self, location: LocationSpec) -> LocationSpec {
        match (location, self.shown_place()) {
            (LocationSpec::Line(line), Some(place)) => LocationSpec::FileLine { file: place.file.to_string(), line },
            (other, _) => other,
        }
    }

    /// The line of the frame that is shown.
    pub fn shown_place(&self) -> Option<SourcePlace> {
        self.place_of(self.lead, self.thread)
    }

    /// The line of the frame that a rank looks at.
    pub fn place_of(&self, rank: Rank, thread: Option<ThreadId>) -> Option<SourcePlace> {
        if let Some(frame) = self.frames.frame(rank, thread) {
            return frame.source.clone();
        }
        match self.ranks.state(rank)? {
            ProcessState::Stopped(stop) => stop.frame.source.clone(),
            _ => None,
        }
    }

    /// Whether there are ranks that have not ended.
    pub fn has_live_ranks(&self) -> bool {
        self.size() as usize > self.ranks.ended().len()
    }

    /// Frames of a stack that are asked for at most.
    pub fn most_frames(&self) -> u32 {
        (self.variables.get("stack-limit") as u32).max(1)
    }
}
