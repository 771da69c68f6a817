//! The place to show when a rank stopped in code without source: that of its nearest caller with source.

use super::{Lookup, State};
use model::{ProcessState, SourcePlace, UserFrame};

/// A place whose source can be shown, as far as known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NearestSource {
    /// The place, with file and line.
    pub place: SourcePlace,
    /// The level of its frame; not always the selected one.
    pub level: u32,
}

impl State {
    /// Returns the place of the selected frame, or of its nearest caller if the selected frame has no lines or its file
    /// is missing. If no caller can be shown either, the selected frame's own; not while callers are being requested,
    /// or if that was abandoned because the rank continues.
    pub fn nearest_source(&self) -> Option<NearestSource> {
        if let Some(found) = self.user_source() {
            return Some(found);
        }
        // While the stack is being loaded, the known one may be of another stop.
        let frames = match &self.inspection.stack {
            Lookup::Known(frames) => &**frames,
            _ => &[],
        };
        let from_chosen = frames.iter().skip_while(|frame| frame.level != self.frame());
        let mut known: Vec<_> = from_chosen.filter_map(|frame| Some((frame.level, frame.source.as_ref()?))).collect();
        if frames.is_empty()
            && self.frame() == 0
            && let ProcessState::Stopped(stop) = self.ranks.state(self.lead)?
        {
            known.extend(stop.frame.source.as_ref().map(|place| (0, place)));
        }
        let readable = known.iter().find(|(_, place)| self.may_be_read(place));
        let (level, place) = readable.or_else(|| known.first().filter(|_| !frames.is_empty()))?;
        Some(NearestSource { place: SourcePlace::clone(place), level: *level })
    }

    /// Returns the place of the user's code that led the lead into a library, unless a frame was selected.
    fn user_source(&self) -> Option<NearestSource> {
        if self.frame() != 0 || self.frames.is_innermost_chosen(self.lead, self.thread) {
            return None;
        }
        let frame = &self.shown_user()?.frame;
        let place = frame.source.clone().filter(|place| self.may_be_read(place))?;
        Some(NearestSource { place, level: frame.level })
    }

    /// Returns the frame of the user's code that stands for the shown thread's stop in a library.
    fn shown_user(&self) -> Option<&UserFrame> {
        let ProcessState::Stopped(stop) = self.ranks.state(self.lead)? else { return None };
        stop.shown_user().filter(|_| self.thread.is_none_or(|thread| thread == stop.thread))
    }

    /// Returns the function of a library that the user's frame at this level called, and in which the shown thread
    /// stopped.
    pub fn call_from(&self, level: u32) -> Option<&str> {
        self.shown_user().filter(|user| user.frame.level == level)?.call.as_deref()
    }

    /// True if the source of a place can be shown, or it is not known yet that it cannot.
    pub fn may_be_read(&self, place: &SourcePlace) -> bool {
        !matches!(self.inspection.sources.get(&place.file), Some(Lookup::Failed(_)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::{FoldedStack, RankTable, SourceText};
    use model::{CodePlace, ErrorCode, Failure, Frame, ProcessSet, Rank, Stop, StopReason, ThreadId};

    fn frame(level: u32, file: Option<&str>) -> Frame {
        Frame {
            level,
            function: None,
            source: file.map(|file| SourcePlace { file: file.into(), line: 10 + level }),
            code: CodePlace { module: None, offset: 0, address: None },
            inlined: false,
            guessed: false,
            thread: None,
        }
    }

    fn stopped_in(frames: Vec<Frame>) -> State {
        let mut state = State { ranks: RankTable::new(1), ..State::default() };
        let stop = Stop {
            reason: StopReason::Interrupted,
            thread: ThreadId(1),
            frame: frames[0].clone(),
            note: None,
            cause: None,
            user: None,
        };
        state.ranks.change(&ProcessSet::one(Rank(0)), &ProcessState::Stopped(Box::new(stop)));
        state.inspection.stack = Lookup::Known(FoldedStack::open(frames));
        state
    }

    fn level_shown(state: &State) -> Option<u32> {
        state.nearest_source().map(|found| found.level)
    }

    #[test]
    fn code_without_lines_gives_way_to_its_caller() {
        let state = stopped_in(vec![frame(0, None), frame(1, None), frame(2, Some("main.c"))]);
        assert_eq!(level_shown(&state), Some(2));
        assert_eq!(level_shown(&stopped_in(vec![frame(0, None)])), None);
    }

    #[test]
    fn a_file_that_is_not_there_gives_way_once_that_is_known() {
        let mut state = stopped_in(vec![frame(0, Some("sleep.c")), frame(1, Some("main.c"))]);
        assert_eq!(level_shown(&state), Some(0));
        let failure = Failure::new(ErrorCode::NO_SOURCE, "No such file.");
        state.inspection.sources.insert("sleep.c".into(), Lookup::Failed(failure.clone()));
        assert_eq!(level_shown(&state), Some(1));
        state.inspection.sources.insert("main.c".into(), Lookup::Known(SourceText::new("main.c".into(), "".into())));
        assert_eq!(level_shown(&state), Some(1));
        state.inspection.sources.insert("main.c".into(), Lookup::Failed(failure));
        assert_eq!(level_shown(&state), Some(0));
    }

    #[test]
    fn a_file_that_is_not_there_is_no_place_before_the_callers_are_known() {
        let mut state = stopped_in(vec![frame(0, Some("sleep.c")), frame(1, Some("main.c"))]);
        let failure = Failure::new(ErrorCode::NO_SOURCE, "No such file.");
        state.inspection.sources.insert("sleep.c".into(), Lookup::Failed(failure));
        for unknown in [Lookup::Absent, Lookup::Loading(None)] {
            state.inspection.stack = unknown;
            assert_eq!(level_shown(&state), None);
        }
    }

    #[test]
    fn the_users_code_comes_before_a_library_with_source() {
        let frames = vec![frame(0, Some("progress.c")), frame(1, None), frame(2, Some("main.c"))];
        let mut state = stopped_in(frames.clone());
        let user = UserFrame { frame: frames[2].clone(), call: Some("MPI_Wait".into()) };
        let ProcessState::Stopped(mut stop) = state.ranks.state(Rank(0)).unwrap().clone() else { panic!() };
        stop.user = Some(Box::new(user));
        let lead = ProcessSet::one(Rank(0));
        state.ranks.change(&lead, &ProcessState::Stopped(stop));
        assert_eq!((level_shown(&state), state.call_from(2), state.call_from(0)), (Some(2), Some("MPI_Wait"), None));
        // Before the stack is known, too.
        state.inspection.stack = Lookup::Absent;
        assert_eq!(level_shown(&state), Some(2));
        state.inspection.stack = Lookup::Known(FoldedStack::open(frames.clone()));
        state.frames.choose(&lead, None, &frames[0]);
        assert_eq!(level_shown(&state), Some(0));
        state.frames.forget(&lead);
        assert_eq!(level_shown(&state), Some(2));
    }

    #[test]
    fn callees_of_the_chosen_frame_are_not_looked_at() {
        let mut state = stopped_in(vec![frame(0, Some("a.c")), frame(1, None), frame(2, Some("b.c"))]);
        let chosen = state.inspection.stack.value().unwrap()[1].clone();
        state.frames.choose(&ProcessSet::one(Rank(0)), None, &chosen);
        assert_eq!(level_shown(&state), Some(2));
    }
}
