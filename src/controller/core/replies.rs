//! From the answers of ranks to reports.

use crate::command::CommandId;
use crate::core::by_content::by_content;
use crate::core::commands::applying;
use crate::core::commands::breakpoints;
use crate::core::commands::clearing;
use crate::core::commands::displays;
use crate::core::commands::examine;
use crate::core::commands::frames;
use crate::core::commands::inspect;
use crate::core::commands::lookups;
use crate::core::commands::session;
use crate::core::commands::stacks;
use crate::core::commands::symbols;
use crate::core::commands::values;
use crate::core::interpreter::Interpreter;
use crate::core::tasks::asking::why_not_stopped;
use crate::core::tasks::task::Asked;
use crate::core::tasks::then::{Change, Then};
use crate::report::Comparison;
use crate::report::{Content, PrintedRegister, PrintedVariable, Scope};
use crate::report::{printed, printed_register, printed_variable};
use crate::state::{Lookup, SourceText, StateKind};
use model::aif::FormatLetter;
use model::{Answer, ErrorCode, Failure, Point, ProcessSet, SignalInfo, join_processes};
use std::collections::HashSet;

pub(in crate::core) fn conclude(core: &mut Interpreter, id: CommandId, then: Then, asked: Asked) {
    // What these cannot say is no error: it is left out of what is shown.
    match then {
        Then::Noted => {
            core.done(id);
            return;
        }
        Then::Symbols(contents, places) => {
            symbols::symbols_known(core, id, contents, &places, &asked);
            core.done(id);
            return;
        }
        Then::FrameVariables(stacks) => {
            stacks::frame_variables_known(core, id, &stacks, &asked);
            tell_silent(core, id, asked.missing);
            core.done(id);
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
    let text = spoken_text(core, &then);
    let goes_on = tell_answers(core, id, then, good, &failed.union(&silent));
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
            ErrorCode::NO_THREAD => core.tasks.get(&id).and_then(|task| task.thread_in_line()),
            _ => core.position_in_line(id, &text, failure.position),
        };
        core.error(id, ranks, failure.message, position);
    }
    tell_silent(core, id, silent);
    if !goes_on {
        core.done(id);
    }
}

/// Who did not answer.
fn tell_silent(core: &mut Interpreter, id: CommandId, silent: ProcessSet) {
    if silent.is_empty() {
        return;
    }
    let lost = silent.intersection(core.state.ranks.of_kind(StateKind::Lost));
    for (ranks, why) in why_not_stopped(&core.state, &lost) {
        core.error(id, ranks, why, None);
    }
    let ended = silent.intersection(&core.state.ranks.ended());
    let slow = silent.difference(&ended);
    for (ranks, why) in why_not_stopped(&core.state, &ended.difference(&lost)) {
        core.say(id, Content::Missing(ranks, why));
    }
    if !slow.is_empty() {
        let begun = core.tasks.get(&id).map(|task| task.begun());
        // Servers are told to wait a little less, so that what they have is here in time.
        let patience = core.state.variables.seconds("patience");
        let waited = begun.is_some_and(|begun| core.clock.now() >= begun + patience * 3 / 4);
        let why = if waited {
            format!("no answer within {} s", core.state.variables.get("patience"))
        } else {
            "no answer: the way to its server broke, and another is being looked for".to_owned()
        };
        core.say(id, Content::Missing(slow, why));
    }
    if let Some(task) = core.tasks.get_mut(&id) {
        task.failed |= task.answered.is_empty();
    }
}

/// The part of the line that the ranks read: places in it are told by them.
fn spoken_text(core: &Interpreter, then: &Then) -> String {
    match then {
        Then::Displays(all, Some(_)) => all.first().map(|displayed| displayed.expression.clone()).unwrap_or_default(),
        Then::Value(text, _)
        | Then::Type(text)
        | Then::Compare(text)
        | Then::Assigned(text)
        | Then::SymbolAt(text)
        | Then::Memory(_, text) => text.clone(),
        Then::Breakpoint(number) => {
            let request = core.state.breakpoints.get(number).map(|breakpoint| &breakpoint.request);
            let condition = request.and_then(|request| request.condition.clone());
            let point = request.map(|request| match &request.point {
                Point::Watch(watch) => watch.bare().to_owned(),
                other => other.to_string(),
            });
            condition.or(point).unwrap_or_default()
        }
        Then::Change(_, Change::Condition(Some(text))) => text.clone(),
        _ => String::new(),
    }
}

/// Makes reports of the answers; whether the command goes on.
fn tell_answers(
    core: &mut Interpreter,
    id: CommandId,
    then: Then,
    good: Vec<(usize, ProcessSet, Answer)>,
    bad: &ProcessSet,
) -> bool {
    let ok: ProcessSet = good.iter().fold(ProcessSet::new(), |sum, (_, ranks, _)| sum.union(ranks));
    match then {
        Then::Run { settle } => {
            core.state.ranks.heard_from(bad);
            if settle && !ok.is_empty() {
                core.settle_step(id, ok);
                return true;
            }
        }
        Then::Breakpoint(number) => breakpoint_set(core, id, number, good, bad),
        Then::Change(numbers, change) => {
            for (slot, number) in numbers.into_iter().enumerate() {
                let of = good.iter().filter(|(known, _, _)| *known == slot);
                let ok = of.fold(ProcessSet::new(), |sum, (_, ranks, _)| sum.union(ranks));
                if bad.is_empty() || !ok.is_empty() {
                    breakpoints::breakpoint_changed(core, id, number, &change, &ok);
                }
            }
        }
        Then::Value(expression, form) => {
            let format = form.letter;
            let shown = values::values(core, &expression, form, good);
            core.views.stale_values();
            let is_address = format == Some(FormatLetter::Address);
            return symbols::say_with_symbols(
                core,
                id,
                shown.into_iter().map(|content| (content, is_address)).collect(),
            );
        }
        Then::Displays(all, added) => return displays::displays_known(core, id, &all, added, good),
        Then::Compare(expression) => {
            let limits = core.state.format_options();
            let values = good.into_iter().filter_map(|(_, ranks, answer)| match answer {
                Answer::Data(datum) => Some((ranks, printed(&datum, None, &limits), datum)),
                _ => None,
            });
            let comparison = Comparison::new(values.collect());
            if !comparison.ranks.is_empty() {
                core.say(id, Content::Comparison(expression, comparison));
            }
            core.views.stale_values();
        }
        Then::Assigned(_) => {
            core.state.focus.stays();
            core.views.stale_values();
        }
        Then::Configured => {}
        Then::Type(expression) => {
            let types = good.into_iter().filter_map(|(_, ranks, answer)| match answer {
                Answer::Type(text) => Some((ranks, text)),
                _ => None,
            });
            for (ranks, text) in by_content(types.collect::<Vec<_>>()) {
                core.say(id, Content::Type { ranks, expression: expression.clone(), text });
            }
        }
        Then::Depths(wish) => {
            return stacks::depths_known(core, id, wish, good);
        }
        Then::Stacks(wish) => return stacks::stacks_known(core, id, wish, good),
        Then::FrameVariables(_) | Then::Symbols(..) | Then::Noted => {}
        Then::ChooseFrame(to) => frames::frame_chosen(core, id, &to, good),
        Then::ChooseFunction(name, thread) => frames::choose_function(core, id, &name, thread, good),
        Then::Clear(location, named) => return clearing::clear_found(core, id, &location, named.as_ref(), good),
        Then::Apply(to, thread, line) => return applying::apply_to(core, id, &to, thread, &line, good),
        Then::SymbolAt(expression) => lookups::symbol_known(core, id, &expression, good),
        Then::CodeOf(at) => return lookups::code_known(core, id, at.as_ref(), good),
        Then::Threads => {
            for (_, ranks, answer) in good {
                if let Answer::Threads(threads) = answer {
                    core.say(id, Content::Threads(ranks, threads));
                }
            }
        }
        Then::ChooseThread(thread) => {
            let has = |answer: &Answer| matches!(answer, Answer::Threads(all) if all.iter().any(|t| t.id == thread));
            let (with, without): (Vec<_>, Vec<_>) = good.into_iter().partition(|(_, _, answer)| has(answer));
            if with.is_empty() {
                core.error(id, ok, format!("there is no thread {thread}; \"threads\" lists them"), None);
            } else {
                for (_, ranks, _) in without {
                    core.say(id, Content::Missing(ranks, format!("it has no thread {thread}")));
                }
                core.state.focus.thread = Some(thread);
                core.state.thread = Some(thread);
                core.state.listed = None;
                session::say_focus(core, id);
            }
        }
        Then::Variables(scope) => tell_variables(core, id, scope, good),
        Then::Registers => tell_registers(core, id, good),
        Then::Focus(scope, ranks) => session::focus_known(core, id, scope, ranks, &good),
        Then::Memory(format, _) => return examine::memory_known(core, id, format, good),
        Then::Places(listing) => {
            let places = good.iter().find_map(|(_, ranks, answer)| match answer {
                Answer::Places(places) => places.first().map(|place| (ranks.clone(), place.clone())),
                _ => None,
            });
            if let Some((ranks, place)) = places {
                inspect::list_at(core, id, &ranks, place.file, place.line, listing);
                return true;
            }
            if bad.is_empty() {
                core.error(id, ok, "no line is known for this place", None);
            }
        }
        Then::Lines { file, first, last, center } => {
            for (_, _, answer) in good {
                if let Answer::Source { text, .. } = answer {
                    let source = SourceText::new(file.clone(), text);
                    inspect::show_lines(core, id, &source, first, last, center);
                    core.state.inspection.sources.insert(file.clone(), Lookup::Known(source));
                }
            }
        }
        Then::Instructions { skip, examined } => examine::instructions_known(core, id, skip, examined, good),
        Then::Signals => tell_signals(core, id, good),
        Then::Libraries => {
            let lists = good.into_iter().filter_map(|(_, ranks, answer)| match answer {
                Answer::Libraries(libraries, events) => Some((ranks, libraries, events)),
                _ => None,
            });
            core.say(id, Content::Libraries(lists.collect()));
        }
        Then::UnderEngine => {
            for (_, ranks, answer) in good {
                if let Answer::UnderEngine(engine) = answer {
                    core.say(id, Content::UnderEngine(ranks, engine));
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
                core.say(id, content);
            }
        }
    }
    false
}

fn breakpoint_set(
    core: &mut Interpreter,
    id: CommandId,
    number: model::BreakpointId,
    good: Vec<(usize, ProcessSet, Answer)>,
    bad: &ProcessSet,
) {
    let Some(breakpoint) = core.state.breakpoints.get_mut(&number) else { return };
    breakpoint.ranks.remove_all(bad);
    for (_, ranks, answer) in good {
        match answer {
            Answer::Breakpoint(_, sites) => {
                breakpoints::move_sites(&mut breakpoint.sites, &ranks, sites);
            }
            Answer::Armed(_, armed) => breakpoint.arm(&ranks, &armed),
            _ => {}
        }
    }
    if breakpoint.ranks.is_empty() {
        core.state.breakpoints.remove(&number);
    } else {
        let content = Content::Breakpoint(breakpoint.clone());
        core.say(id, content);
    }
}

fn tell_variables(core: &mut Interpreter, id: CommandId, scope: Scope, good: Vec<(usize, ProcessSet, Answer)>) {
    let limits = core.state.format_options();
    let lists = good.into_iter().filter_map(|(_, ranks, answer)| {
        let list: Vec<PrintedVariable> = match answer {
            Answer::Variables(variables) => variables.iter().map(|v| printed_variable(v, &limits)).collect(),
            _ => return None,
        };
        Some((ranks, list))
    });
    let lists = by_content(lists.collect::<Vec<_>>());
    if !lists.is_empty() {
        core.say(id, Content::Variables(scope, lists));
    }
}

fn tell_registers(core: &mut Interpreter, id: CommandId, good: Vec<(usize, ProcessSet, Answer)>) {
    let limits = core.state.format_options();
    let lists = good.into_iter().filter_map(|(_, ranks, answer)| match answer {
        Answer::Registers(registers) => {
            Some((ranks, registers.iter().map(|register| printed_register(register, &limits)).collect()))
        }
        _ => None,
    });
    let lists = by_content(lists.collect::<Vec<(ProcessSet, Vec<PrintedRegister>)>>());
    if !lists.is_empty() {
        core.say(id, Content::Registers(lists));
    }
}

fn tell_signals(core: &mut Interpreter, id: CommandId, good: Vec<(usize, ProcessSet, Answer)>) {
    let size = core.state.size();
    let mut asked = ProcessSet::new();
    let mut names: Vec<SignalInfo> = Vec::new();
    let mut known: HashSet<model::SignalName> = HashSet::new();
    for (_, ranks, answer) in good {
        let Answer::Signals(rows) = answer else { continue };
        asked.extend_with(&ranks);
        for row in rows {
            core.state.signals.note(&ranks, size, &row);
            if known.insert(row.name.clone()) {
                names.push(row);
            }
        }
    }
    let rows = names
        .into_iter()
        .map(|info| {
            let parts = core.state.signals.get(&info.name).map_or_else(Vec::new, |row| row.among(&asked));
            (info, parts)
        })
        .collect();
    core.say(id, Content::Signals(rows));
}
