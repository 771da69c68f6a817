//! The memory on the screen: a page of the lead rank's is requested when it is shown, and compared with that of the other
//! ranks of the focus. These answer only whether theirs is alike, so that a million of them send two answers.

use super::glance::{Kind, Subject};
use super::seen_bytes::SeenBytes;
use super::view_refresh::ViewRefresh;
use crate::state::{Inspection, Lookup, ShownMemory, ShownPage, State};
use model::{Answer, Context, ErrorCode, Failure, Operation, ProcessSet, Rank};

/// A request of the screen with its subject.
type Wanted = (Kind, Subject, ProcessSet, Operation);

impl ViewRefresh {
    /// Returns the request for the lead's page.
    pub(super) fn wanted_of_memory(state: &State, subject: &Subject, context: Context) -> Option<Wanted> {
        let wish = state.gaze.memory.as_ref()?;
        let page = crate::state::MemoryWish { compared: None, ..wish.clone() };
        let subject = Subject { memory: Some(Box::new(page)), ..subject.clone() };
        let operation = Operation::MemoryPage {
            context,
            address: wish.expression.clone(),
            offset: wish.offset,
            length: wish.length,
            compared: None,
        };
        Some((Kind::Memory, subject, ProcessSet::one(state.lead), operation))
    }

    /// Returns the requests for comparing it with that of the other ranks.
    pub(super) fn wanted_elsewhere(&self, state: &mut State) -> Vec<Wanted> {
        let at_rest = state.ranks.at_rest();
        let wish = state.gaze.memory.clone().filter(|_| at_rest.contains(state.lead));
        let Some((wish, compared)) = wish.and_then(|wish| Some((wish.clone(), wish.compared?))) else {
            state.inspection.memory.forget_others();
            return Vec::new();
        };
        let others = state.focus.set.intersection(&at_rest).difference(&ProcessSet::one(state.lead));
        let thread = state.thread;
        let mut wanted = Vec::new();
        for (frame, ranks) in state.frames.parts(&others, thread) {
            let subject = Subject {
                thread,
                frame,
                stop: self.moves,
                change: self.change,
                ranks: Some(ranks.clone()),
                memory: Some(Box::new(wish.clone())),
                ..Subject::of(Rank(0))
            };
            let operation = Operation::MemoryPage {
                context: Context { thread, frame },
                address: wish.expression.clone(),
                offset: compared.offset,
                length: compared.length,
                compared: Some(compared.digest),
            };
            wanted.push((Kind::MemoryElsewhere(frame), subject, ranks, operation));
        }
        wanted
    }

    /// Keeps what is known of the memory on the screen while it is requested again, unless it is about another address.
    pub(super) fn memory_is_loading(inspection: &mut Inspection, subject: &Subject) {
        let Some(wish) = &subject.memory else { return };
        let shown = &mut inspection.memory;
        if shown.expression != wish.expression {
            *shown = ShownMemory { expression: wish.expression.clone(), ..ShownMemory::default() };
        }
        shown.page = std::mem::take(&mut shown.page).reloading();
    }

    /// Records the lead's page.
    pub(super) fn know_memory(&mut self, state: &mut State, subject: &Subject, answer: Result<Answer, Failure>) {
        let shown = &mut state.inspection.memory;
        if subject.memory.as_ref().is_none_or(|wish| wish.expression != shown.expression) {
            return;
        }
        shown.page = match answer {
            Ok(Answer::MemoryPage(page)) => {
                let changed = self.seen_bytes.compared(subject, &page);
                Lookup::Known(ShownPage { page: *page, changed })
            }
            Ok(_) => Lookup::Failed(Failure::new(ErrorCode::BAD_MESSAGE, "unexpected reply from the rank")),
            Err(failure) => Lookup::Failed(failure),
        };
    }

    /// Records whether the memory of other ranks is alike. Ranks that have moved meanwhile are asked again.
    pub(super) fn know_elsewhere(
        &self,
        state: &mut State,
        subject: &Subject,
        ranks: &ProcessSet,
        answer: Option<&Answer>,
    ) {
        let Some(compared) = subject.memory.as_ref().and_then(|wish| wish.compared) else { return };
        if (subject.stop, subject.change) != (self.moves, self.change) {
            return;
        }
        let shown = &mut state.inspection.memory;
        if shown.compared != Some(compared) {
            shown.forget_others();
            shown.compared = Some(compared);
        }
        let Some(answer) = answer else { return };
        for known in [&mut shown.alike, &mut shown.different, &mut shown.without] {
            known.remove_all(ranks);
        }
        let set = match answer {
            Answer::MemoryAlike(true) => &mut shown.alike,
            Answer::MemoryAlike(false) => &mut shown.different,
            _ => &mut shown.without,
        };
        set.extend_with(ranks);
    }
}

impl SeenBytes {
    /// Returns which bytes of a page differ from the last stop at which they were on the screen.
    fn compared(&mut self, subject: &Subject, page: &model::MemoryPage) -> Vec<bool> {
        self.begin(subject.lead, subject.stop);
        let offset = page.start.0.wrapping_sub(page.base.0) as i64;
        let byte = |at: usize| page.at(offset.saturating_add(at as i64), 1).and_then(|bytes| bytes.first().copied());
        let changed: Vec<bool> =
            (0..page.bytes.len()).map(|at| self.is_new(page.start.0.wrapping_add(at as u64), byte(at))).collect();
        if changed.contains(&true) { changed } else { Vec::new() }
    }
}
