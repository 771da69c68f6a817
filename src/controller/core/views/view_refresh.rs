//! What the screen shows is asked for after each stop, one question of a kind at a time.

use super::changes::Remembered;
use super::unanswered::{Turn, Unanswered};
use crate::core::Controller;
use crate::core::tasks::task::Owner;
use crate::core::tasks::together::Together;
use crate::state::StackTree;
use crate::state::{Lookup, ShownRegister, ShownVariable, SourceText};
use model::{Answer, Context, Failure, Frame, Operation, ProcessSet, Rank, ThreadId, Variable, VariableValue};
use rustc_hash::FxHashMap;
use std::{
    collections::HashMap,
    sync::Arc,
    time::{Duration, Instant},
};

/// A question that is not answered within this time does not hold back the next one of its kind, about something else.
const HELD_BACK: Duration = Duration::from_millis(500);

/// A kind of question.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(in crate::core) enum Kind {
    Stack,
    Tree,
    Locals,
    Arguments,
    Registers,
    Threads,
    Libraries,
    Source(Arc<str>),
    Names(String),
    Expression(String),
}

/// What a question was asked about: an answer to an older one is asked for anew.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::core) struct Subject {
    pub(in crate::core) lead: Rank,
    pub(in crate::core) thread: Option<ThreadId>,
    pub(in crate::core) frame: u32,
    /// Which stop of the lead.
    pub(in crate::core) stop: u64,
    /// Grows when a command changed memory.
    change: u64,
    ranks: Option<ProcessSet>,
}

/// A question of the screen.
#[derive(Clone, Debug)]
pub(in crate::core) struct Glance {
    pub(in crate::core) kind: Kind,
    pub(in crate::core) subject: Subject,
    /// When it was asked first.
    pub(in crate::core) since: Instant,
}

/// What the screen has asked.
#[derive(Debug, Default)]
pub(in crate::core) struct Glances {
    pub(in crate::core) asked: FxHashMap<Kind, Subject>,
    /// What is being asked, and since when.
    pub(in crate::core) open: FxHashMap<Kind, (Subject, Instant)>,
    /// What the screen shows now: answers to anything else are old.
    pub(in crate::core) wanted: FxHashMap<Kind, Subject>,
    /// When a question that is held back by a slower one may be asked.
    pub(in crate::core) wake: Option<Instant>,
    pub(in crate::core) unanswered: Unanswered,
    /// Grows when the lead stops or goes.
    pub(in crate::core) stop: u64,
    change: u64,
    /// Grows when ranks of the focus stop or go.
    focus: u64,
    tree: StackTree,
    pub(in crate::core) together: Together,
    /// Ranks whose frame the user has chosen since they stopped.
    pub(in crate::core) by_user: ProcessSet,
    /// Ranks that look at their innermost frame with source by themselves.
    pub(in crate::core) by_source: ProcessSet,
    pub(in crate::core) memory: HashMap<(Rank, Kind, Option<ThreadId>, String), Remembered>,
}

impl Glances {
    /// A stack of ranks that may have answered before.
    pub(in crate::core) fn grow_tree(&mut self, ranks: &ProcessSet, frames: &[Frame]) {
        let fresh = ranks.difference(&self.tree.ranks);
        if !fresh.is_empty() {
            self.tree.add(&fresh, frames);
        }
    }
}

impl Controller {
    /// Ranks changed state: what was known of them is old.
    pub(in crate::core) fn moved(&mut self, ranks: &ProcessSet) {
        self.state.frames.forget(ranks);
        self.part_from(ranks);
        if !ranks.is_empty() {
            self.focus_stays();
        }
        if ranks.contains(self.state.lead) {
            self.glances.stop += 1;
            self.state.lead_moves = self.glances.stop;
            // Text that was looked at in between gives way to where the lead is.
            self.state.gaze.file = None;
            self.listed = None;
            // A thread chosen at one stop is not meant at the next; one that the focus names is.
            let focus = &mut self.state.focus;
            if let Some(thread) = focus.thread
                && !focus.text.ends_with(&format!(".{thread}"))
            {
                focus.thread = None;
                self.state.thread = None;
            }
        }
        if ranks.meets(&self.state.focus.set) {
            self.glances.focus += 1;
        }
    }

    /// Memory may have changed.
    pub(in crate::core) fn stale_values(&mut self) {
        self.glances.change += 1;
    }

    /// Everything is asked anew: another job, other files.
    pub(in crate::core) fn forget_glances(&mut self) {
        self.glances = Glances { stop: self.glances.stop + 1, ..Glances::default() };
        self.state.inspection = Default::default();
        self.state.lead_moves = self.glances.stop;
    }

    /// Asks what the screen shows and is not known.
    pub(in crate::core) fn refresh(&mut self) {
        self.look_at_frames_with_source();
        let views = self.state.gaze.views;
        let at_rest = self.at_rest();
        let resting = at_rest.contains(self.state.lead);
        let subject = Subject {
            lead: self.state.lead,
            thread: self.state.thread,
            frame: self.state.frame(),
            stop: self.glances.stop,
            change: self.glances.change,
            ranks: None,
        };
        let whole = Subject { frame: 0, change: 0, ..subject.clone() };
        let context = Context { thread: subject.thread, frame: subject.frame };
        let thread = subject.thread;
        let high = Some((self.state.variables.get("stack-limit") as u32).saturating_sub(1));
        let lead = ProcessSet::one(self.state.lead);
        let mut wanted: Vec<(Kind, Subject, ProcessSet, Operation)> = Vec::new();
        if resting {
            let mut want = |wish: bool, kind, subject: &Subject, operation| {
                if wish {
                    wanted.push((kind, subject.clone(), lead.clone(), operation));
                }
            };
            want(views.stack, Kind::Stack, &whole, Operation::Stack { thread, low: 0, high });
            want(views.locals, Kind::Locals, &subject, Operation::Locals(context));
            want(views.arguments, Kind::Arguments, &subject, Operation::Arguments(context));
            want(views.registers, Kind::Registers, &subject, Operation::Registers(context, Vec::new()));
            want(views.threads, Kind::Threads, &Subject { thread: None, ..whole.clone() }, Operation::Threads);
            want(views.libraries, Kind::Libraries, &whole, Operation::Libraries);
            for expression in self.state.gaze.expressions.clone() {
                let operation = Operation::Evaluate { context, expression: expression.clone() };
                want(true, Kind::Expression(expression), &subject, operation);
            }
        } else {
            self.nothing_known();
        }
        if views.tree {
            let ranks = self.state.focus.set.intersection(&at_rest);
            if ranks.is_empty() {
                self.state.inspection.tree = Lookup::Absent;
                self.glances.asked.remove(&Kind::Tree);
            } else {
                let stop = self.glances.focus;
                let subject = Subject { lead: Rank(0), stop, ranks: Some(ranks.clone()), ..whole.clone() };
                wanted.push((Kind::Tree, subject, ranks, Operation::Stack { thread, low: 0, high }));
            }
        }
        let alive = !self.state.ranks.ended().contains(self.state.lead) && self.state.session.is_some();
        if let Some(begun) = self.state.gaze.names.clone().filter(|_| alive) {
            let operation = Operation::Globals(format!("{begun}*"));
            let kind = Kind::Names(begun);
            self.glances.asked.retain(|known, _| !matches!(known, Kind::Names(_)) || *known == kind);
            let subject = Subject { stop: 0, change: 0, frame: 0, thread: None, ..subject.clone() };
            wanted.push((kind, subject, lead.clone(), operation));
        }
        if views.source && alive {
            let chosen = self.shown_place().map(|place| place.file);
            let nearest = self.state.nearest_source().map(|found| found.place.file).filter(|_| resting);
            for file in chosen.into_iter().chain(nearest).chain(self.state.gaze.file.clone()) {
                // Another host may have what one has not.
                if !matches!(self.state.inspection.sources.get(&file), Some(Lookup::Known(_))) {
                    let subject = Subject { stop: 0, change: 0, frame: 0, thread: None, ..subject.clone() };
                    let operation = Operation::Source(file.to_string());
                    wanted.push((Kind::Source(file), subject, lead.clone(), operation));
                }
            }
        }
        self.ask_for(wanted);
    }

    fn ask_for(&mut self, wanted: Vec<(Kind, Subject, ProcessSet, Operation)>) {
        let now = self.clock.now();
        self.glances.wake = None;
        self.glances.wanted = wanted.iter().map(|(kind, subject, ..)| (kind.clone(), subject.clone())).collect();
        for (kind, subject, ranks, operation) in wanted {
            if let Some((open, since)) = self.glances.open.get(&kind) {
                let free = *since + HELD_BACK;
                if *open == subject || free > now {
                    let held_back = (*open != subject).then_some(free);
                    if held_back.is_some() && kind != Kind::Tree {
                        // What is shown is of another stop, or of another rank.
                        self.loading(&kind);
                    }
                    self.glances.wake = self.glances.wake.into_iter().chain(held_back).min();
                    continue;
                }
            } else if self.glances.asked.get(&kind) == Some(&subject) {
                continue;
            }
            let since = match self.glances.unanswered.turn(&kind, &subject, now) {
                Turn::First => {
                    self.loading(&kind);
                    now
                }
                // The pane goes on saying why it shows nothing.
                Turn::Again(since) => since,
                Turn::Later => continue,
            };
            self.glances.open.insert(kind.clone(), (subject.clone(), now));
            self.send(Owner::Look(Glance { kind, subject, since }), ranks, operation);
        }
        self.glances.unanswered.drop_due(now);
    }

    /// The lead runs: what was known of its stop is no longer true.
    fn nothing_known(&mut self) {
        let inspection = &mut self.state.inspection;
        inspection.stack = Lookup::Absent;
        inspection.locals = Lookup::Absent;
        inspection.arguments = Lookup::Absent;
        inspection.registers = Lookup::Absent;
        inspection.threads = Lookup::Absent;
        inspection.libraries = Lookup::Absent;
        for (_, lookup) in &mut inspection.expressions {
            *lookup = Lookup::Absent;
        }
        self.glances.asked.retain(|kind, _| matches!(kind, Kind::Tree | Kind::Source(_)));
    }

    fn loading(&mut self, kind: &Kind) {
        fn reload<T>(lookup: &mut Lookup<T>) {
            *lookup = std::mem::take(lookup).reloading();
        }
        let gaze = &self.state.gaze.expressions;
        let inspection = &mut self.state.inspection;
        match kind {
            Kind::Stack => reload(&mut inspection.stack),
            Kind::Tree => {
                self.glances.tree = StackTree::default();
                reload(&mut inspection.tree);
            }
            Kind::Locals => reload(&mut inspection.locals),
            Kind::Arguments => reload(&mut inspection.arguments),
            Kind::Registers => reload(&mut inspection.registers),
            Kind::Threads => reload(&mut inspection.threads),
            Kind::Libraries => reload(&mut inspection.libraries),
            Kind::Names(_) => reload(&mut inspection.names),
            Kind::Source(file) => {
                // What one rank's host has not, another's hardly ever has: until it is known, that holds.
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

    /// Whether an answer is of a rank or a thread that is not looked at any more, or a stack of a stop that is over: shown,
    /// it would be taken for what holds now. Values of the stop before are shown until the next come.
    fn is_of_the_past(&self, kind: &Kind, subject: &Subject) -> bool {
        let is_of_lead = !matches!(kind, Kind::Tree | Kind::Source(_) | Kind::Names(_));
        let another = |wanted: &Subject| {
            (wanted.lead, wanted.thread) != (subject.lead, subject.thread)
                || (*kind == Kind::Stack && wanted.stop != subject.stop)
        };
        is_of_lead && self.glances.wanted.get(kind).is_none_or(another)
    }

    /// An answer to a question of the screen, of these ranks. `silent`: it is complete, without these.
    pub(in crate::core) fn glanced(
        &mut self,
        glance: Glance,
        answer: Option<Answer>,
        ranks: &ProcessSet,
        silent: Option<&ProcessSet>,
    ) {
        let Glance { kind, subject, .. } = glance.clone();
        if self.glances.open.get(&kind).is_none_or(|(open, _)| *open != subject) {
            // Something else has been asked meanwhile.
            return;
        }
        let complete = silent.is_some();
        if self.is_of_the_past(&kind, &subject) {
            if complete {
                self.glances.open.remove(&kind);
            }
            return;
        }
        let mut failure = None;
        if let Some(silent) = silent {
            self.glances.open.remove(&kind);
            let late_came = self.glances.asked.get(&kind) == Some(&subject);
            self.glances.asked.insert(kind.clone(), subject.clone());
            match silent.is_empty() {
                true => self.glances.unanswered.settled(&kind),
                false if late_came => {}
                false => failure = Some(self.unanswered(&glance, silent)),
            }
        }
        let answer = match (answer, &kind) {
            (Some(Answer::Stack(frames)), Kind::Tree) => {
                self.glances.grow_tree(ranks, &frames);
                None
            }
            (answer, _) => answer,
        };
        if kind == Kind::Tree {
            if complete {
                let mut tree = std::mem::take(&mut self.glances.tree);
                tree.finish();
                self.state.inspection.tree = match failure {
                    Some(failure) if tree.roots.is_empty() => Lookup::Failed(failure),
                    _ => Lookup::Known(tree),
                };
            }
            return;
        }
        if let Some(answer) = answer.or(failure.map(Answer::Failed)) {
            self.know(kind, &subject, answer);
        }
    }

    pub(in crate::core) fn know(&mut self, kind: Kind, subject: &Subject, answer: Answer) {
        fn settle<T>(lookup: &mut Lookup<T>, value: Result<T, Failure>) {
            *lookup = match value {
                Ok(value) => Lookup::Known(value),
                Err(failure) => Lookup::Failed(failure),
            };
        }
        let answer = match answer {
            Answer::Failed(failure) => Err(failure),
            answer => Ok(answer),
        };
        macro_rules! take {
            ($pattern:pat => $value:expr) => {
                match answer {
                    Ok($pattern) => Ok($value),
                    Err(failure) => Err(failure),
                    Ok(_) => Err(Failure::new(model::ErrorCode::BAD_MESSAGE, "the rank gave another answer")),
                }
            };
        }
        match &kind {
            Kind::Stack => {
                let value = take!(Answer::Stack(frames) => frames);
                settle(&mut self.state.inspection.stack, value);
            }
            Kind::Tree => {}
            Kind::Locals | Kind::Arguments => {
                let value = take!(Answer::Variables(variables) => self.compared(&kind, subject, variables));
                match kind {
                    Kind::Locals => settle(&mut self.state.inspection.locals, value),
                    _ => settle(&mut self.state.inspection.arguments, value),
                }
            }
            Kind::Registers => {
                let value = take!(Answer::Registers(registers) => registers);
                let value = value.map(|registers| {
                    let variables = registers
                        .into_iter()
                        .map(|register| Variable { name: register.name, value: VariableValue::Known(register.value) })
                        .collect();
                    let shown = self.compared(&kind, subject, variables).into_iter();
                    let register = |shown: ShownVariable| match shown.value {
                        VariableValue::Known(value) => {
                            Some(ShownRegister { name: shown.name, value, changed: shown.changed })
                        }
                        VariableValue::Unknown { .. } => None,
                    };
                    shown.filter_map(register).collect()
                });
                settle(&mut self.state.inspection.registers, value);
            }
            Kind::Threads => {
                let value = take!(Answer::Threads(threads) => threads);
                settle(&mut self.state.inspection.threads, value);
            }
            Kind::Libraries => {
                let value = take!(Answer::Libraries(libraries, _) => libraries);
                settle(&mut self.state.inspection.libraries, value);
            }
            Kind::Names(_) => {
                let value =
                    take!(Answer::Variables(found) => found.into_iter().map(|variable| variable.name).collect());
                settle(&mut self.state.inspection.names, value);
            }
            Kind::Source(file) => {
                let value = take!(Answer::Source { text, .. } => SourceText::new(file.clone(), text));
                settle(self.state.inspection.sources.entry(file.clone()).or_default(), value);
            }
            Kind::Expression(text) => {
                let value = take!(Answer::Data(datum) => datum).map(|datum| {
                    let variable = Variable { name: text.clone(), value: VariableValue::Known(datum) };
                    self.compared(&kind, subject, vec![variable])
                });
                let value = value.and_then(|mut shown| {
                    shown.pop().ok_or_else(|| Failure::new(model::ErrorCode::DEBUGGER, "no value"))
                });
                if let Some((_, lookup)) = self.state.inspection.expressions.iter_mut().find(|(known, _)| known == text)
                {
                    settle(lookup, value);
                }
            }
        }
    }
}
