//! Puts the answers to the screen's requests into the state.

use super::glance::{Glance, Kind, Subject};
use super::listed_names::{declarations, own_names};
use super::view_refresh::{ViewRefresh, tree_of};
use crate::state::{FoldedStack, Lookup, ShownRegister, ShownVariable, SourceText, StackTree, State};
use model::{Answer, Failure, ProcessSet, SymbolKind, TransactionId, Variable, VariableValue};
use rustc_hash::FxHashMap;
use std::time::Instant;

impl ViewRefresh {
    /// True if the answer is for a rank or thread no longer shown, or a stack of an earlier stop, which would be taken
    /// for the present one. Values of the previous stop are shown until the next arrive.
    fn is_of_the_past(&self, kind: &Kind, subject: &Subject) -> bool {
        if matches!(kind, Kind::Source(_)) {
            return self.wanted.get(kind).is_some_and(|wanted| wanted.change != subject.change);
        }
        let of_many = kind.is_of_many();
        let is_of_lead = !of_many && !matches!(kind, Kind::Names(_) | Kind::Listed(..));
        let another = |wanted: &Subject| {
            (wanted.lead, wanted.thread) != (subject.lead, subject.thread)
                || (*kind == Kind::Stack && wanted.stop != subject.stop)
                || wanted.is_of_other_data(subject)
        };
        is_of_lead && self.wanted.get(kind).is_none_or(another)
    }

    /// Records an answer of these ranks to a request of the screen. `silent`: the answer is complete, without these.
    pub(in crate::core) fn answered(
        &mut self,
        state: &mut State,
        glance: Glance,
        answer: Option<Answer>,
        ranks: &ProcessSet,
        silent: Option<&ProcessSet>,
        now: Instant,
    ) {
        let Glance { kind, subject, .. } = glance.clone();
        if self.open.get(&kind).is_none_or(|(open, _)| *open != subject) {
            // Another request has been made meanwhile.
            return;
        }
        let complete = silent.is_some();
        if self.is_of_the_past(&kind, &subject) {
            if complete {
                self.open.remove(&kind);
            }
            return;
        }
        let mut failure = None;
        if let Some(silent) = silent {
            self.open.remove(&kind);
            let late_came = self.asked.get(&kind) == Some(&subject);
            self.asked.insert(kind.clone(), subject.clone());
            match silent.is_empty() {
                true => self.unanswered.settled(&kind),
                false if late_came => {}
                false => {
                    let patience = state.variables.seconds("patience");
                    let (again, words) = self.unanswered.leave(&glance, silent, patience, now);
                    if again {
                        self.asked.remove(&kind);
                    }
                    failure = Some(words);
                }
            }
        }
        if let Kind::Across(key, frame) = &kind {
            return self.learn_across(state, (key, *frame), &subject, (ranks, answer), silent.zip(failure));
        }
        if let Kind::Colours(_) = &kind {
            if let Some(answer) = answer {
                self.learn_colours(state, &subject, ranks, answer);
            }
            return;
        }
        if kind.is_of_other_memory() {
            return self.know_of_others(state, &kind, &subject, ranks, answer.as_ref());
        }
        if let Kind::ArrayTiles(_) = &kind {
            return self.know_tiles(state, &subject, ranks, answer);
        }
        let answer = match (answer, &kind) {
            (
                Some(stacks @ (Answer::Stack(_) | Answer::ThreadStacks(_) | Answer::MergedStacks(_))),
                Kind::Tree | Kind::ThreadTree,
            ) => {
                coming(&mut self.trees, &kind, state).add_answer(ranks, &stacks);
                None
            }
            (answer, _) => answer,
        };
        if kind.is_tree() {
            if complete {
                let mut tree = self.trees.remove(&kind).unwrap_or_default();
                tree.finish();
                *tree_of(&mut state.inspection, &kind) = match failure {
                    Some(failure) if tree.roots.is_empty() => Lookup::Failed(failure),
                    _ => Lookup::Known(tree),
                };
            }
            return;
        }
        if let Some(answer) = answer.or(failure.map(Answer::Failed)) {
            self.know(state, kind, &subject, answer);
        }
    }

    fn know(&mut self, state: &mut State, kind: Kind, subject: &Subject, answer: Answer) {
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
                    Ok(_) => Err(Failure::new(model::ErrorCode::BAD_MESSAGE, "unexpected reply from the rank")),
                }
            };
        }
        match &kind {
            Kind::Stack => {
                let value = take!(Answer::Stack(frames) => FoldedStack::new(frames, &state.variables.my_code()));
                settle(&mut state.inspection.stack, value);
            }
            Kind::FrameArguments => {
                let value = take!(Answer::FrameArguments(frames) => frames);
                settle(&mut state.inspection.frame_arguments, value);
            }
            Kind::Tree
            | Kind::ThreadTree
            | Kind::Across(..)
            | Kind::Colours(_)
            | Kind::MemoryElsewhere(_)
            | Kind::MemoryOfOthers(_)
            | Kind::ArrayTiles(_) => {}
            Kind::Code => Self::know_code(state, subject, answer),
            Kind::Memory => self.know_memory(state, subject, answer),
            Kind::MemorySymbols => Self::know_symbols(state, subject, answer),
            Kind::Array | Kind::ArrayStatistics | Kind::ArrayMatch => self.know_array(state, &kind, subject, answer),
            Kind::Locals | Kind::Arguments => {
                let value =
                    take!(Answer::Variables(variables) => self.changes.compared(state, &kind, subject, variables));
                match kind {
                    Kind::Locals => settle(&mut state.inspection.locals, value),
                    _ => settle(&mut state.inspection.arguments, value),
                }
            }
            Kind::Registers => {
                let value = take!(Answer::Registers(registers) => registers);
                let value = value.map(|registers| {
                    let variables = registers
                        .into_iter()
                        .map(|register| Variable { name: register.name, value: VariableValue::Known(register.value) })
                        .collect();
                    let shown = self.changes.compared(state, &kind, subject, variables).into_iter();
                    let register = |shown: ShownVariable| match shown.value {
                        VariableValue::Known(value) => {
                            Some(ShownRegister { name: shown.name, value, changed: shown.changed })
                        }
                        VariableValue::Unknown { .. } => None,
                    };
                    shown.filter_map(register).collect()
                });
                settle(&mut state.inspection.registers, value);
            }
            Kind::Threads => {
                let value = take!(Answer::Threads(threads) => threads);
                let lead = ProcessSet::one(subject.lead);
                let named =
                    |threads| state.thread_names.named(lead, threads).pop().map_or_else(Vec::new, |part| part.1);
                let value = value.map(named);
                settle(&mut state.inspection.threads, value);
            }
            Kind::Libraries => {
                let value = take!(Answer::Libraries(libraries, _) => libraries);
                settle(&mut state.inspection.libraries, value);
            }
            Kind::Names(_) => {
                let value =
                    take!(Answer::Variables(found) => found.into_iter().map(|variable| variable.name).collect());
                settle(&mut state.inspection.names, value);
            }
            Kind::Listed(sort, begun) => {
                let value = take!(Answer::SymbolList(list) => list);
                match sort {
                    SymbolKind::Types => settle(&mut state.inspection.types, value.map(|list| declarations(&list))),
                    _ => {
                        let own = value.map(|list| own_names(&list, &state.variables.my_code(), begun));
                        settle(&mut state.inspection.own_names, own);
                    }
                }
            }
            Kind::Source(file) => {
                let value =
                    take!(Answer::Source { text, origin, .. } => SourceText::new(file.clone(), text).found(origin));
                settle(state.inspection.sources.entry(file.clone()).or_default(), value);
            }
            Kind::Expression(text) => {
                let value = take!(Answer::Data(datum) => datum).map(|datum| {
                    let variable = Variable { name: text.clone(), value: VariableValue::Known(datum) };
                    self.changes.compared(state, &kind, subject, vec![variable])
                });
                let value = value.and_then(|mut shown| {
                    shown.pop().ok_or_else(|| Failure::new(model::ErrorCode::DEBUGGER, "no value"))
                });
                if let Some((_, lookup)) = state.inspection.expressions.iter_mut().find(|(known, _)| known == text) {
                    settle(lookup, value);
                }
            }
        }
    }

    /// Records a late answer to a request of the screen; true if it was one.
    pub(in crate::core) fn answered_late(
        &mut self,
        state: &mut State,
        tid: TransactionId,
        ranks: &ProcessSet,
        answer: &Answer,
    ) -> bool {
        let Some((Glance { kind, subject, .. }, ranks)) = self.unanswered.take_late(tid, ranks) else {
            return false;
        };
        if self.wanted.get(&kind) != Some(&subject) {
            return true;
        }
        match (&kind, answer) {
            (Kind::Tree | Kind::ThreadTree, Answer::Stack(_) | Answer::ThreadStacks(_) | Answer::MergedStacks(_)) => {
                let my_code = state.variables.my_code();
                let shown = tree_of(&mut state.inspection, &kind);
                let mut tree = shown.value().cloned().unwrap_or_else(|| StackTree::new(my_code));
                tree.add_answer(&ranks, answer);
                tree.finish();
                *shown = Lookup::Known(tree);
                if self.open.contains_key(&kind) {
                    coming(&mut self.trees, &kind, state).add_answer(&ranks, answer);
                }
            }
            (Kind::Tree | Kind::ThreadTree, _) => {}
            (Kind::Across(key, frame), answer) => {
                self.learn_across(state, (key, *frame), &subject, (&ranks, Some(answer.clone())), None);
            }
            (Kind::ArrayTiles(_), answer) => self.know_tiles(state, &subject, &ranks, Some(answer.clone())),
            (Kind::Colours(_), answer) => self.learn_colours(state, &subject, &ranks, answer.clone()),
            (kind, answer) if kind.is_of_other_memory() => {
                self.know_of_others(state, kind, &subject, &ranks, Some(answer));
            }
            _ => {
                self.asked.insert(kind.clone(), subject.clone());
                self.know(state, kind.clone(), &subject, answer.clone());
                self.unanswered.settled(&kind);
            }
        }
        true
    }
}

/// The merged stacks of a kind while they come.
fn coming<'a>(trees: &'a mut FxHashMap<Kind, StackTree>, kind: &Kind, state: &State) -> &'a mut StackTree {
    trees.entry(kind.clone()).or_insert_with(|| StackTree::new(state.variables.my_code()))
}
