//! Completes places that commands and the screen do not name in full.

use super::{State, StateKind};
use model::{LocationSpec, PointAction, ProcessSet, ProcessState, Rank, Site, SourcePlace, Stop, StopReason, ThreadId};
use std::sync::Arc;

/// The lines of a file that `list` showed.
#[derive(Clone, Debug)]
pub struct Listed {
    /// The file as it was named.
    pub file: Arc<str>,
    /// The first line shown.
    pub first: u32,
    /// The last line shown.
    pub last: u32,
    /// The line with which the next list begins.
    pub next: u32,
}

/// Returns the line that `+3` or `-3` means; `None` for any other text.
fn line_from(text: &str, line: u32) -> Option<u32> {
    let digits = text.strip_prefix(['+', '-'])?;
    let distance: u32 = digits.parse().ok().filter(|_| digits.bytes().all(|byte| byte.is_ascii_digit()))?;
    if text.starts_with('+') { line.checked_add(distance) } else { Some(line.saturating_sub(distance).max(1)) }
}

impl State {
    /// Returns the stops of ranks at breakpoints at the place of their first stop, with these ranks.
    pub fn stops_at_start(&self) -> Vec<(Stop, ProcessSet)> {
        let mut found = Vec::new();
        for (ranks, state) in self.ranks.groups() {
            let ProcessState::Stopped(stop) = state else { continue };
            let code = &stop.frame.code;
            for (id, breakpoint) in &self.breakpoints {
                let request = &breakpoint.request;
                let always = request.condition.is_none() && request.ignore == 0 && request.thread.is_none();
                if !always || !request.enabled || request.action != PointAction::Stop {
                    continue;
                }
                let here = |site: &Site| (&site.module, site.offset) == (&code.module, code.offset);
                let sites = breakpoint.sites.iter().filter(|(_, site)| here(site));
                let at = sites.fold(ProcessSet::new(), |sum, (of, _)| sum.union(&of.intersection(ranks)));
                if !at.is_empty() {
                    found.push((Stop { reason: StopReason::Breakpoint(*id), ..stop.as_ref().clone() }, at));
                }
            }
        }
        found
    }

    /// True if every rank is at its first stop, and the next start of the program would be the same.
    pub fn is_at_its_start(&self) -> bool {
        let is_there =
            |state: &ProcessState| matches!(state, ProcessState::Stopped(stop) if stop.reason == StopReason::Start);
        self.size() > 0 && !self.start.is_changed() && self.ranks.groups().all(|(_, state)| is_there(state))
    }

    /// Returns the number of lines that a list shows.
    pub fn list_size(&self) -> u32 {
        (self.variables.get("list-size") as u32).max(1)
    }

    /// Adds the listed file, or the shown one, to a line without a file.
    pub fn completed(&self, location: LocationSpec) -> LocationSpec {
        match (location, &self.listed) {
            (LocationSpec::Line(line), Some(listed)) => LocationSpec::FileLine { file: listed.file.to_string(), line },
            (other, _) => self.of_shown(other),
        }
    }

    /// As [`Self::completed`] for lists: `+3` and `-3` count from the line after those listed last, as in gdb.
    pub fn completed_for_list(&self, location: LocationSpec) -> LocationSpec {
        match (&location, &self.listed) {
            (LocationSpec::Function(text), Some(listed)) => match line_from(text, listed.next) {
                Some(line) => LocationSpec::FileLine { file: listed.file.to_string(), line },
                None => self.completed(location),
            },
            _ => self.completed(location),
        }
    }

    /// Adds the shown file to a line without a file. `+3` and `-3` are lines after and before the shown one.
    pub fn of_shown(&self, location: LocationSpec) -> LocationSpec {
        // A rank that is stopped knows the file of its own line.
        let last = || self.last_shown.clone().filter(|_| self.ranks.at_rest().is_empty());
        match (location, self.shown_place().or_else(last)) {
            (LocationSpec::Line(line), Some(place)) => LocationSpec::FileLine { file: place.file.to_string(), line },
            (LocationSpec::Function(text), Some(place)) => match line_from(&text, place.line) {
                Some(line) => LocationSpec::FileLine { file: place.file.to_string(), line },
                None => LocationSpec::Function(text),
            },
            (other, _) => other,
        }
    }

    /// Returns the line of the shown frame.
    pub fn shown_place(&self) -> Option<SourcePlace> {
        self.place_of(self.lead, self.thread)
    }

    /// Remembers the shown line: it completes locations when no frame is shown any more.
    pub(crate) fn note_place(&mut self) {
        if let Some(place) = self.shown_place() {
            self.last_shown = Some(place);
        }
    }

    /// Returns the function of the shown frame, without its parameters.
    pub fn shown_function(&self) -> Option<String> {
        let stopped = || match self.ranks.state(self.lead)? {
            ProcessState::Stopped(stop) => Some(stop.shown_frame()),
            _ => None,
        };
        let frame = self.frames.frame(self.lead, self.thread).or_else(stopped)?;
        let function = frame.function.as_deref()?;
        Some(function.split('(').next().unwrap_or(function).to_owned())
    }

    /// Returns the line of a rank's selected frame.
    pub fn place_of(&self, rank: Rank, thread: Option<ThreadId>) -> Option<SourcePlace> {
        if let Some(frame) = self.frames.frame(rank, thread) {
            return frame.source.clone();
        }
        match self.ranks.state(rank)? {
            ProcessState::Stopped(stop) => stop.shown_frame().source.clone(),
            _ => None,
        }
    }

    /// True if a rank has been started or attached to.
    pub fn has_started(&self) -> bool {
        let never = self.ranks.absent().union(self.ranks.of_kind(StateKind::Starting));
        self.size() as usize > never.len()
    }

    /// True if ranks exist that have not ended.
    pub fn has_live_ranks(&self) -> bool {
        self.size() as usize > self.ranks.ended().len()
    }

    /// Returns the most frames of a stack that are requested.
    pub fn most_frames(&self) -> u32 {
        (self.variables.get("stack-limit") as u32).max(1)
    }
}
