//! Selects the user's frame in ranks that stopped in a library at a place the user did not choose, as the screen does.

use super::State;
use model::{Frame, ProcessSet, ProcessState, Stop, ThreadId};

impl State {
    /// Selects the user's frames in those of the ranks that have no other selection and whose levels are known. Ranks
    /// whose stacks differ in depth share one stop, which then has no level: returns the ranks whose stacks have to be
    /// requested. Those of other threads than the one that stopped are not known, either.
    pub fn select_user_frames(&mut self, ranks: &ProcessSet, thread: Option<ThreadId>) -> ProcessSet {
        let without = ranks.intersection(&self.ranks.at_rest()).difference(&self.frames.chosen_in(thread));
        let mut unknown = ProcessSet::new();
        let mut known = Vec::new();
        if without.is_empty() {
            return unknown;
        }
        for (ranks, state) in self.ranks.groups() {
            let ProcessState::Stopped(stop) = state else { continue };
            let ranks = ranks.intersection(&without);
            match users_frame(stop, thread) {
                UsersFrame::Innermost => {}
                UsersFrame::At(frame) if frame.level > 0 => known.push((ranks, frame.clone())),
                UsersFrame::At(_) | UsersFrame::Unknown => unknown.extend_with(&ranks),
            }
        }
        for (ranks, frame) in known {
            self.frames.choose(&ranks, thread, &frame);
        }
        unknown
    }
}

/// What a stop says of the user's frame in the stack of a thread.
enum UsersFrame<'a> {
    /// The user chose the place, or no frame is of the user's code.
    Innermost,
    At(&'a Frame),
    Unknown,
}

fn users_frame(stop: &Stop, thread: Option<ThreadId>) -> UsersFrame<'_> {
    if thread.is_some_and(|thread| thread != stop.thread) {
        return UsersFrame::Unknown;
    }
    let user = stop.user.as_deref().filter(|_| stop.is_by_chance());
    user.map_or(UsersFrame::Innermost, |user| UsersFrame::At(&user.frame))
}
