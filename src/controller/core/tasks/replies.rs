//! From the answers of ranks to reports.

use super::task::{Asked, Doing, Then};
use crate::command::PrintForm;
use crate::core::{CommandId, Controller};
use crate::report::Comparison;
use crate::report::{Content, PrintedRegister, PrintedVariable, Scope};
use crate::report::{printed, printed_register, printed_variable};
use crate::state::{Lookup, SourceText, StateKind};
use model::aif::{FormatLetter, FormatOptions};
use model::{Answer, ErrorCode, Failure, Point, ProcessSet, SignalInfo, join_processes};
use std::collections::HashSet;

/// Joins equal entries and puts them into the order of their lowest ranks.
pub(in crate::core) fn by_content<T: PartialEq>(
    parts: impl IntoIterator<Item = (ProcessSet, T)>,
) -> Vec<(ProcessSet, T)> {
    let mut joined: Vec<(ProcessSet, T)> = Vec::new();
    for (ranks, content) in parts {
        match joined.iter_mut().find(|(_, known)| *known == content) {
            Some((set, _)) => set.extend_with(&ranks),
            None => joined.push((ranks, content)),
        }
    }
    joined.sort_by_key(|(ranks, _)| ranks.first());
    joined
}

impl Controller {
    /// All questions of a command are answered or given up on.
    pub(in crate::core) fn concluded(&mut self, id: CommandId) {
        let Some(task) = self.tasks.get_mut(&id) else { return };
        match std::mem::replace(&mut task.doing, Doing::Beginning) {
            Doing::Conditions(invocation, texts, asked) => self.conditions_known(id, *invocation, &texts, asked),
            Doing::Asking(then, asked) => self.conclude(id, then, asked),
            other => task.doing = other,
        }
    }

    pub(in crate::core) fn conclude(&mut self, id: CommandId, then: Then, asked: Asked) {
        // What these cannot say is no error: it is left out of what is shown.
        match then {
            Then::Noted => {
                self.done(id);
                return;
            }
            Then::Symbols(contents, places) => {
                self.symbols_known(id, contents, &places, &asked);
                self.done(id);
                return;
            }
            Then::FrameVariables(stacks) => {
                self.frame_variables_known(id, &stacks, &asked);
                self.tell_silent(id, asked.missing);
                self.done(id);
                return;
            }
            _ => {}
        }
        let mut good = Vec::new();
        let mut failures: Vec<(usize, ProcessSet, Failure)> = Vec::new();
        for (slot, ranks, answer) in asked.answers {
            match answer {
                Answer::Failed(failure) => failures.push((slot, ranks, failure)),
                answer => good.push((slot, ranks, answer)),
            }
        }
        let failed: ProcessSet = failures.iter().fold(ProcessSet::new(), |sum, (_, ranks, _)| sum.union(ranks));
        let silent = asked.missing;
        let text = self.spoken_text(&then);
        let goes_on = self.tell_answers(id, then, good, &failed.union(&silent));
        let mut refusals: Vec<(ProcessSet, Failure)> = Vec::new();
        for (_, ranks, failure) in failures {
            let place = (failure.code, failure.position);
            let mut alike = refusals.iter_mut().filter(|(_, known)| (known.code, known.position) == place);
            match alike.find_map(|(set, known)| join_processes(&mut known.message, &failure.message).then_some(set)) {
                Some(known) => known.extend_with(&ranks),
                None => refusals.push((ranks, failure)),
            }
        }
        refusals.sort_by_key(|(ranks, _)| ranks.first());
        for (ranks, failure) in refusals {
            let position = match failure.code {
                ErrorCode::NO_THREAD => self.thread_in_line(id),
                _ => self.position_in_line(id, &text, failure.position),
            };
            self.error(id, ranks, failure.message, position);
        }
        self.tell_silent(id, silent);
        if !goes_on {
            self.done(id);
        }
    }

    /// Who did not answer.
    fn tell_silent(&mut self, id: CommandId, silent: ProcessSet) {
        if silent.is_empty() {
            return;
        }
        let lost = silent.intersection(self.state.ranks.of_kind(StateKind::Lost));
        for (ranks, why) in self.why_not_stopped(&lost) {
            self.error(id, ranks, why, None);
        }
        let ended = silent.intersection(&self.state.ranks.ended());
        let slow = silent.difference(&ended);
        for (ranks, why) in self.why_not_stopped(&ended.difference(&lost)) {
            self.say(id, Content::Missing(ranks, why));
        }
        if !slow.is_empty() {
            let begun = self.tasks.get(&id).map(|task| task.begun());
            // Servers are told to wait a little less, so that what they have is here in time.
            let patience = self.seconds("patience");
            let waited = begun.is_some_and(|begun| self.clock.now() >= begun + patience * 3 / 4);
            let why = if waited {
                format!("no answer within {} s", self.state.variables.get("patience"))
            } else {
                "no answer: the way to its server broke, and another is being looked for".to_owned()
            };
            self.say(id, Content::Missing(slow, why));
        }
        if let Some(task) = self.tasks.get_mut(&id) {
            task.failed |= task.answered.is_empty();
        }
    }

    /// The part of the line that the ranks read: places in it are told by them.
    fn spoken_text(&self, then: &Then) -> String {
        match then {
            Then::Displays(all, Some(_)) => {
                all.first().map(|displayed| displayed.expression.clone()).unwrap_or_default()
            }
            Then::Value(text, _)
            | Then::Type(text)
            | Then::Compare(text)
            | Then::Assigned(text)
            | Then::SymbolAt(text)
            | Then::Memory(_, text) => text.clone(),
            Then::Breakpoint(number) => {
                let request = self.state.breakpoints.get(number).map(|breakpoint| &breakpoint.request);
                let condition = request.and_then(|request| request.condition.clone());
                let point = request.map(|request| match &request.point {
                    Point::Watch(watch) => watch.bare().to_owned(),
                    other => other.to_string(),
                });
                condition.or(point).unwrap_or_default()
            }
            Then::Change(_, super::task::Change::Condition(Some(text))) => text.clone(),
            _ => String::new(),
        }
    }

    /// Makes reports of the answers; whether the command goes on.
    fn tell_answers(
        &mut self,
        id: CommandId,
        then: Then,
        good: Vec<(usize, ProcessSet, Answer)>,
        bad: &ProcessSet,
    ) -> bool {
        let ok: ProcessSet = good.iter().fold(ProcessSet::new(), |sum, (_, ranks, _)| sum.union(ranks));
        match then {
            Then::Run { settle } => {
                self.in_flight.remove_all(bad);
                if settle && !ok.is_empty() {
                    self.settle_step(id, ok);
                    return true;
                }
            }
            Then::Breakpoint(number) => self.breakpoint_set(id, number, good, bad),
            Then::Change(numbers, change) => {
                for (slot, number) in numbers.into_iter().enumerate() {
                    let of = good.iter().filter(|(known, _, _)| *known == slot);
                    let ok = of.fold(ProcessSet::new(), |sum, (_, ranks, _)| sum.union(ranks));
                    if bad.is_empty() || !ok.is_empty() {
                        self.breakpoint_changed(id, number, &change, &ok);
                    }
                }
            }
            Then::Value(expression, form) => {
                let format = form.letter;
                let shown = self.values(&expression, form, good);
                self.stale_values();
                let is_address = format == Some(FormatLetter::Address);
                return self.say_with_symbols(id, shown.into_iter().map(|content| (content, is_address)).collect());
            }
            Then::Displays(all, added) => return self.displays_known(id, &all, added, good),
            Then::Compare(expression) => {
                let limits = self.print_limits();
                let values = good.into_iter().filter_map(|(_, ranks, answer)| match answer {
                    Answer::Data(datum) => Some((ranks, printed(&datum, None, &limits), datum)),
                    _ => None,
                });
                let comparison = Comparison::new(values.collect());
                if !comparison.ranks.is_empty() {
                    self.say(id, Content::Comparison(expression, comparison));
                }
                self.stale_values();
            }
            Then::Assigned(_) => {
                self.focus_stays();
                self.stale_values();
            }
            Then::Configured => {}
            Then::Type(expression) => {
                let types = good.into_iter().filter_map(|(_, ranks, answer)| match answer {
                    Answer::Type(text) => Some((ranks, text)),
                    _ => None,
                });
                for (ranks, text) in by_content(types.collect::<Vec<_>>()) {
                    self.say(id, Content::Type { ranks, expression: expression.clone(), text });
                }
            }
            Then::Depths(wish) => {
                return self.depths_known(id, wish, good);
            }
            Then::Stacks(wish) => return self.stacks_known(id, wish, good),
            Then::FrameVariables(_) | Then::Symbols(..) | Then::Noted => {}
            Then::ChooseFrame(to) => self.frame_chosen(id, &to, good),
            Then::ChooseFunction(name, thread) => self.choose_function(id, &name, thread, good),
            Then::Clear(location, named) => return self.clear_found(id, &location, named.as_ref(), good),
            Then::Apply(to, thread, line) => return self.apply_to(id, &to, thread, &line, good),
            Then::SymbolAt(expression) => self.symbol_known(id, &expression, good),
            Then::CodeOf(at) => return self.code_known(id, at.as_ref(), good),
            Then::Threads => {
                for (_, ranks, answer) in good {
                    if let Answer::Threads(threads) = answer {
                        self.say(id, Content::Threads(ranks, threads));
                    }
                }
            }
            Then::ChooseThread(thread) => {
                let has =
                    |answer: &Answer| matches!(answer, Answer::Threads(all) if all.iter().any(|t| t.id == thread));
                let (with, without): (Vec<_>, Vec<_>) = good.into_iter().partition(|(_, _, answer)| has(answer));
                if with.is_empty() {
                    self.error(id, ok, format!("there is no thread {thread}; \"threads\" lists them"), None);
                } else {
                    for (_, ranks, _) in without {
                        self.say(id, Content::Missing(ranks, format!("it has no thread {thread}")));
                    }
                    self.state.focus.thread = Some(thread);
                    self.state.thread = Some(thread);
                    self.listed = None;
                    self.say_focus(id);
                }
            }
            Then::Variables(scope) => self.tell_variables(id, scope, good),
            Then::Registers => self.tell_registers(id, good),
            Then::Focus(scope, ranks) => self.focus_known(id, scope, ranks, &good),
            Then::Memory(format, _) => return self.memory_known(id, format, good),
            Then::Places(listing) => {
                let places = good.iter().find_map(|(_, ranks, answer)| match answer {
                    Answer::Places(places) => places.first().map(|place| (ranks.clone(), place.clone())),
                    _ => None,
                });
                if let Some((ranks, place)) = places {
                    self.list_at(id, &ranks, place.file, place.line, listing);
                    return true;
                }
                if bad.is_empty() {
                    self.error(id, ok, "no line is known for this place", None);
                }
            }
            Then::Lines { file, first, last, center } => {
                for (_, _, answer) in good {
                    if let Answer::Source { text, .. } = answer {
                        let source = SourceText::new(file.clone(), text);
                        self.show_lines(id, &source, first, last, center);
                        self.state.inspection.sources.insert(file.clone(), Lookup::Known(source));
                    }
                }
            }
            Then::Instructions { skip, examined } => self.instructions_known(id, skip, examined, good),
            Then::Signals => self.tell_signals(id, good),
            Then::Libraries => {
                let lists = good.into_iter().filter_map(|(_, ranks, answer)| match answer {
                    Answer::Libraries(libraries, events) => Some((ranks, libraries, events)),
                    _ => None,
                });
                self.say(id, Content::Libraries(lists.collect()));
            }
            Then::UnderEngine => {
                for (_, ranks, answer) in good {
                    if let Answer::UnderEngine(engine) = answer {
                        self.say(id, Content::UnderEngine(ranks, engine));
                    }
                }
            }
            Then::EngineText | Then::Told => {
                let is_ours = then == Then::Told;
                let texts = good.into_iter().filter_map(|(_, ranks, answer)| match answer {
                    Answer::Text(text) => Some((ranks, text)),
                    _ => None,
                });
                for (ranks, text) in by_content(texts) {
                    let content = if is_ours { Content::Text(ranks, text) } else { Content::EngineText(ranks, text) };
                    self.say(id, content);
                }
            }
        }
        false
    }

    pub(in crate::core) fn values(
        &self,
        expression: &str,
        form: PrintForm,
        good: Vec<(usize, ProcessSet, Answer)>,
    ) -> Vec<Content> {
        let usual = self.print_limits();
        let limits = FormatOptions {
            limit: form.elements.map_or(usual.limit, |limit| limit as usize),
            threshold: form.repeats.map_or(usual.threshold, |limit| limit as usize),
            ..usual
        };
        let values = good.into_iter().filter_map(|(_, ranks, answer)| match answer {
            Answer::Data(datum) => Some((ranks, (printed(&datum, form.letter, &limits), datum))),
            _ => None,
        });
        let values = by_content(values.collect::<Vec<_>>()).into_iter();
        let expression = expression.to_owned();
        values
            .map(|(ranks, (text, datum))| Content::Value { ranks, expression: expression.clone(), text, datum })
            .collect()
    }

    fn breakpoint_set(
        &mut self,
        id: CommandId,
        number: model::BreakpointId,
        good: Vec<(usize, ProcessSet, Answer)>,
        bad: &ProcessSet,
    ) {
        let Some(breakpoint) = self.state.breakpoints.get_mut(&number) else { return };
        breakpoint.ranks.remove_all(bad);
        for (_, ranks, answer) in good {
            match answer {
                Answer::Breakpoint(_, sites) => {
                    crate::core::commands::breakpoints::move_sites(&mut breakpoint.sites, &ranks, sites);
                }
                Answer::Armed(_, armed) => breakpoint.arm(&ranks, &armed),
                _ => {}
            }
        }
        if breakpoint.ranks.is_empty() {
            self.state.breakpoints.remove(&number);
        } else {
            let content = Content::Breakpoint(breakpoint.clone());
            self.say(id, content);
        }
    }

    fn tell_variables(&mut self, id: CommandId, scope: Scope, good: Vec<(usize, ProcessSet, Answer)>) {
        let limits = self.print_limits();
        let lists = good.into_iter().filter_map(|(_, ranks, answer)| {
            let list: Vec<PrintedVariable> = match answer {
                Answer::Variables(variables) => variables.iter().map(|v| printed_variable(v, &limits)).collect(),
                _ => return None,
            };
            Some((ranks, list))
        });
        let lists = by_content(lists.collect::<Vec<_>>());
        if !lists.is_empty() {
            self.say(id, Content::Variables(scope, lists));
        }
    }

    fn tell_registers(&mut self, id: CommandId, good: Vec<(usize, ProcessSet, Answer)>) {
        let limits = self.print_limits();
        let lists = good.into_iter().filter_map(|(_, ranks, answer)| match answer {
            Answer::Registers(registers) => {
                Some((ranks, registers.iter().map(|register| printed_register(register, &limits)).collect()))
            }
            _ => None,
        });
        let lists = by_content(lists.collect::<Vec<(ProcessSet, Vec<PrintedRegister>)>>());
        if !lists.is_empty() {
            self.say(id, Content::Registers(lists));
        }
    }

    fn tell_signals(&mut self, id: CommandId, good: Vec<(usize, ProcessSet, Answer)>) {
        let size = self.state.size();
        let mut asked = ProcessSet::new();
        let mut names: Vec<SignalInfo> = Vec::new();
        let mut known: HashSet<model::SignalName> = HashSet::new();
        for (_, ranks, answer) in good {
            let Answer::Signals(rows) = answer else { continue };
            asked.extend_with(&ranks);
            for row in rows {
                self.state.signals.note(&ranks, size, &row);
                if known.insert(row.name.clone()) {
                    names.push(row);
                }
            }
        }
        let rows = names
            .into_iter()
            .map(|info| {
                let parts = self.state.signals.get(&info.name).map_or_else(Vec::new, |row| row.among(&asked));
                (info, parts)
            })
            .collect();
        self.say(id, Content::Signals(rows));
    }
}
