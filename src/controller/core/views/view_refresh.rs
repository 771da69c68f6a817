//! Requests the screen's data after each stop, one request of a kind at a time.

use super::changes::Changes;
use super::coloured::Coloured;
use super::glance::{Glance, Kind, Subject};
use super::seen_bytes::SeenBytes;
use super::seen_elements::SeenElements;
use super::together::Together;
use super::unanswered::{Turn, Unanswered};
use crate::state::{Inspection, Lookup, StackTree, State};
use model::{Context, Operation, ProcessSet, Rank, SymbolKind, SymbolQuery};
use rustc_hash::FxHashMap;
use std::time::{Duration, Instant};

/// The time after which an unanswered request no longer delays the next of its kind about another subject.
const HELD_BACK: Duration = Duration::from_millis(500);

/// The highest level of a frame whose arguments the screen shows.
const MOST_WITH_ARGUMENTS: u32 = 63;

/// Names that are fetched to complete one.
const MOST_LISTED: u32 = 500;

/// A request to be made for the screen.
#[derive(Debug)]
pub(in crate::core) struct Question {
    pub(in crate::core) glance: Glance,
    pub(in crate::core) ranks: ProcessSet,
    pub(in crate::core) operation: Operation,
}

#[derive(Debug, Default)]
pub(in crate::core) struct ViewRefresh {
    pub(in crate::core) asked: FxHashMap<Kind, Subject>,
    /// The open requests, and their times.
    pub(in crate::core) open: FxHashMap<Kind, (Subject, Instant)>,
    /// The subjects now on the screen: answers about others are stale.
    pub(in crate::core) wanted: FxHashMap<Kind, Subject>,
    /// The time at which a delayed request may be made.
    pub(in crate::core) wake: Option<Instant>,
    pub(in crate::core) unanswered: Unanswered,
    /// Increases when the lead stops or continues.
    pub(in crate::core) stop: u64,
    pub(super) change: u64,
    /// Increases when any rank stops or continues.
    pub(super) moves: u64,
    /// The change for which values on many ranks are known.
    pub(super) across_change: u64,
    /// What the ranks are coloured by.
    pub(super) coloured: Option<Coloured>,
    /// Increases when that changes.
    pub(super) colour_round: u64,
    /// Increases when sources may be found elsewhere.
    source_change: u64,
    /// Increases when ranks of the focus stop or continue.
    focus: u64,
    /// Merged stacks while they come.
    pub(super) trees: FxHashMap<Kind, StackTree>,
    pub(in crate::core) together: Together,
    /// Ranks whose frame the user has selected since they stopped.
    pub(in crate::core) by_user: ProcessSet,
    /// Ranks whose innermost frame with source was selected automatically.
    pub(in crate::core) by_source: ProcessSet,
    pub(in crate::core) changes: Changes,
    pub(super) seen_elements: SeenElements,
    pub(super) seen_bytes: SeenBytes,
}

impl ViewRefresh {
    /// Drops the data of ranks that changed state.
    pub(in crate::core) fn moved(&mut self, state: &mut State, ranks: &ProcessSet) {
        state.frames.forget(ranks);
        self.part_from(ranks);
        if !ranks.is_empty() {
            state.focus.stays();
            self.moves += 1;
            state.inspection.across.forget(ranks);
        }
        if ranks.contains(state.lead) {
            self.stop += 1;
            state.lead_moves = self.stop;
            // A file opened in between gives way to the lead's place.
            state.gaze.file = None;
            state.listed = None;
            // A thread selected at one stop does not hold for the next, unless the focus names it.
            let focus = &mut state.focus;
            if focus.thread.is_some() && focus.threads().is_none() {
                focus.thread = None;
                state.thread = None;
            }
        }
        if ranks.meets(&state.focus.set) {
            self.focus += 1;
        }
    }

    /// Marks values as stale: memory may have changed.
    pub(in crate::core) fn stale_values(&mut self) {
        self.change += 1;
    }

    /// Requests sources again: they may be found elsewhere now.
    pub(in crate::core) fn stale_sources(&mut self, state: &mut State) {
        self.source_change += 1;
        state.inspection.sources.clear();
        state.inspection.warned.clear();
    }

    /// Requests everything again, for another job with other files.
    pub(in crate::core) fn forget(&mut self, state: &mut State) {
        *self = Self { stop: self.stop + 1, moves: self.moves + 1, ..Self::default() };
        state.inspection = Default::default();
        state.lead_moves = self.stop;
    }

    /// Returns the requests whose answers the screen lacks.
    pub(in crate::core) fn refresh(&mut self, state: &mut State, now: Instant) -> Vec<Question> {
        let views = state.gaze.views;
        let at_rest = state.ranks.at_rest();
        let resting = at_rest.contains(state.lead);
        let subject = Subject {
            thread: state.thread,
            frame: state.frame(),
            stop: self.stop,
            change: self.change,
            ..Subject::of(state.lead)
        };
        let whole = Subject { frame: 0, change: 0, ..subject.clone() };
        let context = Context { thread: subject.thread, frame: subject.frame };
        let thread = subject.thread;
        let highest = (state.variables.get("stack-limit") as u32).saturating_sub(1);
        let high = Some(highest);
        let lead = ProcessSet::one(state.lead);
        let mut wanted: Vec<(Kind, Subject, ProcessSet, Operation)> = Vec::new();
        if resting {
            let mut want = |wish: bool, kind, subject: &Subject, operation| {
                if wish {
                    wanted.push((kind, subject.clone(), lead.clone(), operation));
                }
            };
            want(views.stack, Kind::Stack, &whole, Operation::Stack { thread, low: 0, high, most: None });
            let detail = state.variables.argument_detail();
            let levels = vec![(0, highest.min(MOST_WITH_ARGUMENTS))];
            let of_memory = Subject { frame: 0, ..subject.clone() };
            let operation = Operation::FrameArguments { thread, levels, detail };
            want(views.stack && detail.has_values(), Kind::FrameArguments, &of_memory, operation);
            want(views.locals, Kind::Locals, &subject, Operation::Locals(context));
            want(views.arguments, Kind::Arguments, &subject, Operation::Arguments(context));
            want(views.registers, Kind::Registers, &subject, Operation::Registers(context, Vec::new()));
            want(
                views.threads,
                Kind::Threads,
                &Subject { thread: None, change: self.change, ..whole.clone() },
                Operation::Threads,
            );
            want(views.libraries, Kind::Libraries, &whole, Operation::Libraries);
            for expression in state.gaze.expressions.clone() {
                let operation = Operation::Evaluate { context, expression: expression.clone() };
                want(true, Kind::Expression(expression), &subject, operation);
            }
            wanted.extend(Self::wanted_of_array(state, &subject, context));
            wanted.extend(Self::wanted_of_code(state, &subject, context));
            wanted.extend(Self::wanted_of_memory(state, &subject, context));
            wanted.extend(Self::wanted_symbols(state, &subject));
        } else {
            self.nothing_known(&mut state.inspection);
        }
        wanted.extend(self.wanted_across(state));
        wanted.extend(self.wanted_colours(state));
        wanted.extend(self.wanted_elsewhere(state));
        wanted.extend(self.wanted_tiles(state));
        wanted.extend(self.wanted_of_others(state));
        let most = Some(StackTree::MOST_STACKS);
        let of_all = (Kind::ThreadTree, None, Operation::ThreadStacks { high, most });
        let of_one = (Kind::Tree, thread, Operation::Stack { thread, low: 0, high, most });
        let trees = [views.tree.then_some(of_one), views.thread_tree.then_some(of_all)];
        for (kind, thread, operation) in trees.into_iter().flatten() {
            let ranks = state.focus.set.intersection(&at_rest);
            if ranks.is_empty() {
                *tree_of(&mut state.inspection, &kind) = Lookup::Absent;
                self.asked.remove(&kind);
            } else {
                let subject =
                    Subject { lead: Rank(0), thread, stop: self.focus, ranks: Some(ranks.clone()), ..whole.clone() };
                wanted.push((kind, subject, ranks, operation));
            }
        }
        let alive = !state.ranks.ended().contains(state.lead) && state.session.is_some();
        if let Some(begun) = state.gaze.names.clone().filter(|_| alive) {
            let operation = Operation::Globals(format!("{begun}*"));
            let kind = Kind::Names(begun);
            self.asked.retain(|known, _| !matches!(known, Kind::Names(_)) || *known == kind);
            let subject = Subject { stop: 0, change: 0, frame: 0, thread: None, ..subject.clone() };
            wanted.push((kind, subject, lead.clone(), operation));
        }
        let listed = [(SymbolKind::Variables, &state.gaze.names), (SymbolKind::Types, &state.gaze.types)];
        for (sort, begun) in listed {
            let Some(begun) = begun.clone().filter(|_| resting) else { continue };
            let mut query = SymbolQuery::all(sort, MOST_LISTED);
            query.described_only = true;
            query.name = (!begun.is_empty()).then(|| format!("^{begun}"));
            let kind = Kind::Listed(sort, begun);
            self.asked.retain(|known, _| !matches!(known, Kind::Listed(of, _) if *of == sort) || *known == kind);
            let subject = Subject { stop: 0, change: 0, frame: 0, thread: None, ..subject.clone() };
            wanted.push((kind, subject, lead.clone(), Operation::ListSymbols(context, Box::new(query))));
        }
        if views.source && alive {
            let chosen = state.shown_place().map(|place| place.file);
            let nearest = state.nearest_source().map(|found| found.place.file).filter(|_| resting);
            for file in chosen.into_iter().chain(nearest).chain(state.gaze.file.clone()) {
                // Another host may have a file that one lacks.
                if !matches!(state.inspection.sources.get(&file), Some(Lookup::Known(_))) {
                    let change = self.source_change;
                    let subject = Subject { stop: 0, change, frame: 0, thread: None, ..subject.clone() };
                    let operation = Operation::Source(file.to_string());
                    wanted.push((Kind::Source(file), subject, lead.clone(), operation));
                }
            }
        }
        self.questions(state, wanted, now)
    }

    /// Returns the wanted requests that are to be made now.
    fn questions(
        &mut self,
        state: &mut State,
        wanted: Vec<(Kind, Subject, ProcessSet, Operation)>,
        now: Instant,
    ) -> Vec<Question> {
        let mut questions = Vec::new();
        self.wake = None;
        self.wanted = wanted.iter().map(|(kind, subject, ..)| (kind.clone(), subject.clone())).collect();
        // What ranks have answered is dropped when it is no longer looked at: they are asked again when it is.
        let is_dropped = |kind: &Kind| matches!(kind, Kind::Across(..) | Kind::ArrayTiles(_));
        self.asked.retain(|kind, _| !is_dropped(kind) || self.wanted.contains_key(kind));
        for (kind, subject, ranks, operation) in wanted {
            if let Some((open, since)) = self.open.get(&kind) {
                let free = *since + HELD_BACK;
                if *open == subject || free > now {
                    let held_back = (*open != subject).then_some(free);
                    if held_back.is_some() && !kind.is_tree() {
                        // The present data belong to another stop or another rank.
                        self.loading(state, &kind, &subject);
                    }
                    self.wake = self.wake.into_iter().chain(held_back).min();
                    continue;
                }
            } else if self.asked.get(&kind) == Some(&subject) {
                continue;
            } else if let Some(free) = listed_before(&self.open, &kind, now) {
                self.loading(state, &kind, &subject);
                self.wake = self.wake.into_iter().chain([free]).min();
                continue;
            }
            let since = match self.unanswered.turn(&kind, &subject, now) {
                Turn::First => {
                    self.loading(state, &kind, &subject);
                    now
                }
                // The pane keeps the reason why it is empty.
                Turn::Again(since) => since,
                Turn::Later => continue,
            };
            self.open.insert(kind.clone(), (subject.clone(), now));
            questions.push(Question { glance: Glance { kind, subject, since }, ranks, operation });
        }
        self.unanswered.drop_due(now);
        questions
    }

    /// Clears the data of a stop, because the lead is running.
    fn nothing_known(&mut self, inspection: &mut Inspection) {
        inspection.stack = Lookup::Absent;
        inspection.frame_arguments = Lookup::Absent;
        inspection.locals = Lookup::Absent;
        inspection.arguments = Lookup::Absent;
        inspection.registers = Lookup::Absent;
        inspection.threads = Lookup::Absent;
        inspection.libraries = Lookup::Absent;
        // Code stays the same while the rank runs.
        Self::code_is_loading(inspection);
        inspection.memory.page = Lookup::Absent;
        let array = &mut inspection.array;
        (array.shown, array.statistics, array.found) = (Lookup::Absent, Lookup::Absent, None);
        for (_, lookup) in &mut inspection.expressions {
            *lookup = Lookup::Absent;
        }
        self.asked.retain(|kind, _| kind.is_of_many() || matches!(kind, Kind::Source(_)));
    }

    fn loading(&mut self, state: &mut State, kind: &Kind, subject: &Subject) {
        fn reload<T>(lookup: &mut Lookup<T>) {
            *lookup = std::mem::take(lookup).reloading();
        }
        let gaze = &state.gaze.expressions;
        let inspection = &mut state.inspection;
        match kind {
            Kind::Stack => reload(&mut inspection.stack),
            Kind::FrameArguments => reload(&mut inspection.frame_arguments),
            Kind::Tree | Kind::ThreadTree => {
                self.trees.insert(kind.clone(), StackTree::new(state.variables.my_code()));
                reload(tree_of(inspection, kind));
            }
            Kind::Locals => reload(&mut inspection.locals),
            Kind::Arguments => reload(&mut inspection.arguments),
            Kind::Registers => reload(&mut inspection.registers),
            Kind::Threads => reload(&mut inspection.threads),
            Kind::Libraries => reload(&mut inspection.libraries),
            Kind::Names(_) => reload(&mut inspection.names),
            Kind::Listed(SymbolKind::Types, _) => reload(&mut inspection.types),
            Kind::Listed(..) => reload(&mut inspection.own_names),
            Kind::Array | Kind::ArrayStatistics | Kind::ArrayMatch => Self::array_is_loading(inspection, kind, subject),
            Kind::Code => Self::code_is_loading(inspection),
            Kind::Memory => Self::memory_is_loading(inspection, subject),
            // Values stay until newer ones arrive.
            Kind::Across(..)
            | Kind::Colours(_)
            | Kind::MemoryElsewhere(_)
            | Kind::MemoryOfOthers(_)
            | Kind::MemorySymbols
            | Kind::ArrayTiles(_) => {}
            Kind::Source(file) => {
                // A file that one rank's host lacks is rarely on another's: the failure stays until the file arrives.
                inspection.sources.entry(file.clone()).or_insert(Lookup::Loading(None));
            }
            Kind::Expression(text) => {
                inspection.expressions.retain(|(known, _)| gaze.contains(known));
                match inspection.expressions.iter_mut().find(|(known, _)| known == text) {
                    Some((_, lookup)) => reload(lookup),
                    None => inspection.expressions.push((text.clone(), Lookup::Loading(None))),
                }
                inspection.expressions.sort_by_key(|(known, _)| gaze.iter().position(|wanted| wanted == known));
            }
        }
    }
}

/// Returns the time until which a list of names waits for an earlier one: a server that searches large files for each letter
/// of a name has no time for what the user looks at.
fn listed_before(open: &FxHashMap<Kind, (Subject, Instant)>, kind: &Kind, now: Instant) -> Option<Instant> {
    let earlier = open.iter().filter(|(open, _)| open.is_of_same_name(kind));
    earlier.map(|(_, (_, since))| *since + HELD_BACK).filter(|free| *free > now).max()
}

/// The merged stacks of a kind, as the screen shows them.
pub(super) fn tree_of<'a>(inspection: &'a mut Inspection, kind: &Kind) -> &'a mut Lookup<StackTree> {
    match kind {
        Kind::ThreadTree => &mut inspection.thread_tree,
        _ => &mut inspection.tree,
    }
}
