//! The memory on the screen: a page of the lead rank's is requested when it is shown, and compared with that of the other
//! ranks of the focus. These answer only whether theirs is alike, so that a million of them send two answers; then a few
//! of those that differ send their bytes, so that the differences can be marked.

use super::glance::{Kind, Subject};
use super::seen_bytes::SeenBytes;
use super::view_refresh::ViewRefresh;
use crate::state::{Inspection, Lookup, MemoryWish, ShownMemory, ShownPage, State};
use model::{Answer, Context, ErrorCode, Failure, MemoryPage, Operation, ProcessSet, Rank, VirtualAddress};
use std::collections::BTreeSet;

/// The ranks with other bytes that send theirs.
const MOST_OTHERS: usize = 16;
/// Addresses whose symbols are kept.
const MOST_SYMBOLS: usize = 4096;

/// A request of the screen with its subject.
type Wanted = (Kind, Subject, ProcessSet, Operation);

impl ViewRefresh {
    /// Returns the request for the lead's page.
    pub(super) fn wanted_of_memory(state: &State, subject: &Subject, context: Context) -> Option<Wanted> {
        let wish = state.gaze.memory.as_ref()?;
        let page = MemoryWish { compared: None, symbols: false, ..wish.clone() };
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
    pub(super) fn wanted_elsewhere(&mut self, state: &mut State) -> Vec<Wanted> {
        let at_rest = state.ranks.at_rest();
        let Some(wish) = state.gaze.memory.clone().filter(|_| at_rest.contains(state.lead)) else {
            state.inspection.memory.forget_others();
            // What is forgotten has to be asked again, even if nothing has changed.
            self.asked.retain(|kind, _| !kind.is_of_other_memory());
            return Vec::new();
        };
        let others = state.focus.set.intersection(&at_rest).difference(&ProcessSet::one(state.lead));
        state.inspection.memory.keep_others(&others);
        // While the lead's bytes are read again, what is known of the other ranks stays.
        let Some(compared) = wish.compared else { return Vec::new() };
        self.of_ranks(state, &others, &wish, Kind::MemoryElsewhere, Some(compared.digest))
    }

    /// Returns the requests for the bytes of some ranks with other ones, once all have said whether theirs differ.
    pub(super) fn wanted_of_others(&self, state: &State) -> Vec<Wanted> {
        let shown = &state.inspection.memory;
        let wish = state.gaze.memory.as_ref().filter(|wish| wish.compared.is_some() && wish.compared == shown.compared);
        let is_comparing = self.open.keys().any(|kind| matches!(kind, Kind::MemoryElsewhere(_)));
        let Some(wish) = wish.filter(|_| !is_comparing) else { return Vec::new() };
        let some: ProcessSet = shown.different.iter().take(MOST_OTHERS).collect();
        self.of_ranks(state, &some, wish, Kind::MemoryOfOthers, None)
    }

    /// Returns the requests about the compared bytes of these ranks, in the frames that they show.
    fn of_ranks(
        &self,
        state: &State,
        ranks: &ProcessSet,
        wish: &MemoryWish,
        kind: fn(u32) -> Kind,
        digest: Option<u64>,
    ) -> Vec<Wanted> {
        let Some(compared) = wish.compared else { return Vec::new() };
        let thread = state.thread;
        let wish = MemoryWish { symbols: false, offset: 0, length: 0, ..wish.clone() };
        let mut wanted = Vec::new();
        for (frame, ranks) in state.frames.parts(ranks, thread) {
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
                compared: digest,
            };
            wanted.push((kind(frame), subject, ranks, operation));
        }
        wanted
    }

    /// Returns the request for the symbols at the addresses that are on the screen.
    pub(super) fn wanted_symbols(state: &State, subject: &Subject) -> Option<Wanted> {
        let wish = state.gaze.memory.as_ref().filter(|wish| wish.symbols)?;
        let Lookup::Known(shown) = &state.inspection.memory.page else { return None };
        let addresses: Vec<VirtualAddress> =
            addresses_in(&shown.page, wish.compared?.offset, wish.compared?.length).into_iter().collect();
        if addresses.is_empty() {
            return None;
        }
        let wish = MemoryWish { offset: 0, length: 0, ..wish.clone() };
        let subject = Subject { memory: Some(Box::new(wish)), ..subject.clone() };
        Some((Kind::MemorySymbols, subject, ProcessSet::one(state.lead), Operation::Symbols(addresses)))
    }

    /// Records the symbols at the addresses that are on the screen.
    pub(super) fn know_symbols(state: &mut State, subject: &Subject, answer: Result<Answer, Failure>) {
        let compared = subject.memory.as_ref().and_then(|wish| wish.compared);
        let shown = &mut state.inspection.memory;
        let (Ok(Answer::Names(names)), Some(compared), Lookup::Known(known)) = (answer, compared, &shown.page) else {
            return;
        };
        // The page may be another one than that of the request: the digest says whether its bytes are those.
        if known.page.digest(compared.offset, compared.length as usize) != compared.digest {
            return;
        }
        if shown.symbols_stop != subject.stop || shown.symbols.len() > MOST_SYMBOLS {
            shown.symbols.clear();
            shown.symbols_stop = subject.stop;
        }
        let addresses = addresses_in(&known.page, compared.offset, compared.length);
        let named = addresses.into_iter().zip(names).map(|(address, name)| (address.0, name.unwrap_or_default()));
        shown.symbols.extend(named);
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

    /// Records what other ranks answer. Ranks that have moved meanwhile are asked again.
    pub(super) fn know_of_others(
        &self,
        state: &mut State,
        kind: &Kind,
        subject: &Subject,
        ranks: &ProcessSet,
        answer: Option<&Answer>,
    ) {
        let Some(compared) = subject.memory.as_ref().and_then(|wish| wish.compared) else { return };
        if (subject.stop, subject.change) != (self.moves, self.change) {
            return;
        }
        let shown = &mut state.inspection.memory;
        if matches!(kind, Kind::MemoryOfOthers(_)) {
            if shown.others_of != Some(compared) {
                shown.others.clear();
                shown.others_of = Some(compared);
            }
            if let Some(Answer::MemoryPage(page)) = answer {
                shown.forget_bytes_of(ranks);
                shown.others.push((ranks.clone(), MemoryPage::clone(page)));
            }
            return;
        }
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

/// The numbers of 8 bytes in a part of a page, without 0, in ascending order.
fn addresses_in(page: &MemoryPage, offset: i64, length: u32) -> BTreeSet<VirtualAddress> {
    let starts = (0..i64::from(length / 8)).map(|number| offset.saturating_add(8 * number));
    let number = |at: i64| Some(u64::from_le_bytes(page.at(at, 8)?.try_into().ok()?));
    starts.filter_map(number).filter(|number| *number != 0).map(VirtualAddress).collect()
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
