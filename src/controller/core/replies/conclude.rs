//! Concludes a command: its answers, its errors, and the ranks that did not reply.

use super::{breakpoints, data, finding, program, user_frames};
use crate::command::{CommandId, nearest_member};
use crate::core::commands::frames::arguments::arguments_known;
use crate::core::commands::lookups::no_symbol_at;
use crate::core::commands::points::{clearing, each_function};
use crate::core::commands::running::waits_for_ranks;
use crate::core::commands::saving::{restoring, writing};
use crate::core::commands::scripting::{deciding, printing};
use crate::core::commands::source::code_lines;
use crate::core::commands::stacks::{sampling, shown};
use crate::core::commands::threads::{applying, each_thread, naming};
use crate::core::commands::values::snapshots;
use crate::core::commands::{displays, examine, frames, lookups, ranks, session, symbols, why};
use crate::core::interpreter::Interpreter;
use crate::core::tasks::asking::why_not_stopped;
use crate::core::tasks::task::{Answers, Asked};
use crate::core::tasks::then::{Awaits, Change, Then};
use crate::report::Content;
use crate::state::{State, StateKind};
use model::{Answer, DID_YOU_MEAN, ErrorCode, Failure, Point, ProcessSet, join_processes, nearest};
use std::time::Duration;

pub(in crate::core) fn conclude(core: &mut Interpreter, id: CommandId, then: Then, asked: Asked) {
    // Failures of these requests are no errors: they are left out of the output.
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
        then @ (Then::Why(_) | Then::Snapshot(_)) => {
            go_on_by_itself(core, id, then, asked);
            return;
        }
        Then::UserFrames(awaited) => {
            user_frames::stacks_known(core, id, *awaited, asked);
            return;
        }
        Then::CodeText { code, form, files } => {
            code_lines::files_known(core, id, code, form, &files, asked.answers);
            core.done(id);
            return;
        }
        Then::NearestFunction(number) => {
            breakpoints::nearest_function(core, id, number, &asked);
            core.done(id);
            return;
        }
        Then::FrameArguments(stacks) => {
            let applied = arguments_known(core, id, *stacks, &asked);
            let goes_on = applied.is_some_and(|applied| applying::run_for_frames(core, id, applied));
            tell_silent(core, id, asked.missing, "");
            if !goes_on {
                core.done(id);
            }
            return;
        }
        Then::FrameVariables(stacks, more) => {
            shown::frame_variables_known(core, id, &stacks, more, &asked);
            tell_silent(core, id, asked.missing, "");
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
    match &then {
        Then::Assigned(text) | Then::Value(text, _) | Then::Output(text, _) => core.kept_numbers.note(text, &good),
        Then::Decide(condition, _) => core.kept_numbers.note(&condition.expression, &good),
        _ => {}
    }
    let failed: ProcessSet = failures.iter().fold(ProcessSet::new(), |sum, (_, ranks, _)| sum.union(ranks));
    failures.retain(|(_, _, failure)| is_reported(&then, failure));
    let (silent, in_calls) = (asked.missing, asked.in_calls);
    let text = spoken_text(core, &then);
    let symbol_of = if let Then::SymbolAt(expression) = &then { Some(expression.clone()) } else { None };
    let meanwhile = match &then {
        Then::UnderEngine(Some(engine)) => format!("; the switch to {engine} goes on, and is reported when it is done"),
        _ => String::new(),
    };
    // Ranks that did not reply may have set it: then the number is used.
    let refused = match &then {
        Then::Breakpoint(number) if good.is_empty() && silent.is_empty() => Some(*number),
        _ => None,
    };
    let goes_on = tell_answers(core, id, then, good, (&failed, &silent));
    if let Some(number) = refused.filter(|number| !core.state.breakpoints.contains_key(number)) {
        core.numbers.breakpoint_refused(number);
        core.state.scripts.formats.remove(&number);
    }
    let (refusals, others) = joined(failures.into_iter().map(|(_, ranks, failure)| (ranks, failure)));
    for (ranks, failure) in refusals {
        let position = match failure.code {
            ErrorCode::NO_THREAD => core.tasks.get(&id).and_then(|task| task.thread_in_line()),
            _ => core.position_in_line(id, &text, failure.position),
        };
        let message = match failure.code {
            // gdb reads no memory for it.
            ErrorCode::MEMORY if symbol_of.is_some() => no_symbol_at(symbol_of.as_deref().unwrap_or_default()),
            _ => with_nearest_name(&core.state, &text, failure.message),
        };
        core.error(id, ranks, message, position);
    }
    if !others.is_empty() {
        core.error(id, others, "other errors; a command for fewer ranks shows them".to_owned(), None);
    }
    tell_silent(core, id, silent, &meanwhile);
    if goes_on {
        return;
    }
    if !in_calls.is_empty() && waits_for_ranks(core, id) {
        // Commands run at their stop, as at any other.
        core.settle_step(id, in_calls, Awaits::Step);
    } else {
        core.done(id);
    }
}

/// More reasons than this are not told apart.
const MOST_REASONS: usize = 64;

/// Joins the failures that have one reason, in the order of their ranks; returns the ranks with further reasons, too.
fn joined(failures: impl Iterator<Item = (ProcessSet, Failure)>) -> (Vec<(ProcessSet, Failure)>, ProcessSet) {
    let (mut refusals, mut others): (Vec<(ProcessSet, Failure)>, _) = (Vec::new(), ProcessSet::new());
    for (ranks, failure) in failures {
        let (place, is_full) = ((failure.code, failure.position), refusals.len() >= MOST_REASONS);
        let mut alike = refusals.iter_mut().filter(|(_, known)| (known.code, known.position) == place);
        match alike.find_map(|(set, known)| join_processes(&mut known.message, &failure.message).then_some(set)) {
            Some(known) => known.extend_with(&ranks),
            None if is_full => others.extend_with(&ranks),
            None => refusals.push((ranks, failure)),
        }
    }
    refusals.sort_by_key(|(ranks, _)| ranks.first());
    (refusals, others)
}

/// Goes on with a command that asks again until it knows enough, or ends it.
fn go_on_by_itself(core: &mut Interpreter, id: CommandId, then: Then, asked: Asked) {
    let missing = asked.missing.clone();
    let goes_on = match then {
        Then::Why(investigation) => why::go_on(core, id, *investigation, asked),
        Then::Snapshot(taking) => snapshots::go_on(core, id, *taking, asked),
        _ => false,
    };
    tell_silent(core, id, missing, "");
    if !goes_on {
        core.done(id);
    }
}

/// True if the failure of a rank is an error of the command.
fn is_reported(then: &Then, failure: &Failure) -> bool {
    match then {
        // A displayed expression is left out where its variables do not exist, as gdb leaves it out outside its block.
        Then::Displays(_, None) => failure.code != ErrorCode::UNKNOWN_VARIABLE,
        // The function has used the registers for something else: the answer says so.
        Then::CartesianSizes => false,
        // A rank that ends while others are looked at is no fault.
        Then::Sampled(_) => failure.code != ErrorCode::NOT_RUN,
        _ => true,
    }
}

/// Adds to the message about an unknown name the variable on the screen, or its member, that it most likely means.
fn with_nearest_name(state: &State, expression: &str, message: String) -> String {
    let member = message.strip_prefix("There is no member named ").and_then(|rest| rest.strip_suffix('.'));
    if let Some(near) = member.and_then(|name| nearest_member(name, expression, state)) {
        return format!("{message} {DID_YOU_MEAN}{near:?}?");
    }
    let name = message.strip_prefix("No symbol \"").and_then(|rest| rest.strip_suffix("\" in current context."));
    let known = state.known_variables();
    // Another frame may have a variable of this very name.
    let others = |name: &str| nearest(name, known.iter().map(String::as_str).filter(|known| *known != name));
    match name.and_then(others) {
        Some(near) => format!("{message} {DID_YOU_MEAN}{near:?}?"),
        None => message,
    }
}

/// Reports the ranks that did not reply, with the reason and with what they do `meanwhile`.
fn tell_silent(core: &mut Interpreter, id: CommandId, silent: ProcessSet, meanwhile: &str) {
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
        // Servers have a slightly shorter timeout, so that their partial replies arrive in time.
        let patience = core.state.variables.seconds("patience");
        let waited = begun.is_some_and(|begun| core.clock.now() >= begun + patience * 3 / 4);
        let why = if waited {
            let advice = if meanwhile.is_empty() { longer(patience) } else { meanwhile.to_owned() };
            format!("no reply within {} s{advice}", core.state.variables.get("patience"))
        } else {
            "no reply: the link to its server broke; reconnecting".to_owned()
        };
        core.state.ranks.not_answered(&slow);
        core.say(id, Content::Missing(slow, why));
    }
    if let Some(task) = core.tasks.get_mut(&id) {
        task.failed |= task.answered.is_empty();
    }
}

/// Says how to wait longer than `patience`; the setting has its limit.
fn longer(patience: Duration) -> String {
    format!("; to wait longer: set patience {:.0}", (patience.as_secs_f64() * 4.0).ceil().min(3600.0))
}

/// Returns the part of the line that the ranks parsed: they report places in it.
fn spoken_text(core: &Interpreter, then: &Then) -> String {
    match then {
        Then::Saving(saving) => saving.text().to_owned(),
        Then::Restoring(restoring) => restoring.text().to_owned(),
        Then::Displays(all, Some(_)) => {
            all.first().map(|(_, displayed)| displayed.expression.clone()).unwrap_or_default()
        }
        Then::Value(text, _)
        | Then::Output(text, _)
        | Then::Type(text)
        | Then::Compare(text)
        | Then::Colours(text, _)
        | Then::Statistics(text)
        | Then::Array(text)
        | Then::Found(text, _)
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

/// Reports the answers; true if the command continues.
fn tell_answers(
    core: &mut Interpreter,
    id: CommandId,
    then: Then,
    good: Answers,
    (failed, silent): (&ProcessSet, &ProcessSet),
) -> bool {
    let bad = &failed.union(silent);
    let ended = silent.intersection(&core.state.ranks.ended());
    let without = breakpoints::Without { unable: &failed.union(&ended), silent: &silent.difference(&ended) };
    let ok: ProcessSet = good.iter().fold(ProcessSet::new(), |sum, (_, ranks, _)| sum.union(ranks));
    match then {
        Then::Run { awaits, left } => {
            core.state.ranks.heard_from(bad);
            core.state.ranks.not_detached(bad);
            core.state.frames.put_back(left, &bad.intersection(&core.state.ranks.at_rest()));
            if awaits != Awaits::Nothing && !ok.is_empty() {
                core.settle_step(id, ok, awaits);
                return true;
            }
        }
        Then::Breakpoint(number) => return breakpoints::set(core, id, number, good, without),
        Then::Breakpoints(numbers) => return breakpoints::set_all(core, id, &numbers, &good, without),
        Then::EachFunction(query) => return each_function::functions_known(core, id, &query, good),
        Then::Change(numbers, change) => breakpoints::changed(core, id, numbers, &change, &good, bad),
        Then::Decide(condition, target) => return deciding::known(core, id, (&condition, target), good, bad),
        Then::Formatted(format) => printing::values_known(core, id, &format, good),
        Then::Line(format) => return printing::lines_known(core, id, &format, good),
        Then::Output(_, form) => printing::output_known(core, id, form, good),
        Then::Value(expression, form) => return data::value(core, id, &expression, form, good),
        Then::Displays(all, added) => return displays::displays_known(core, id, &all, added, good),
        Then::Compare(expression) => data::comparison(core, id, expression, good),
        Then::CartesianCall(thread) => return ranks::cartesian_call::stacks_known(core, id, thread, good),
        Then::CartesianSizes => return ranks::cartesian_call::sizes_known(core, id, good),
        Then::Colours(expression, before) => ranks::colours::numbers_known(core, id, expression, before, good),
        Then::Statistics(expression) => data::statistics(core, id, &expression, good),
        Then::Array(expression) => data::arrays(core, id, &expression, good),
        Then::Found(expression, condition) => data::found(core, id, &expression, &condition, good),
        Then::Assigned(_) => {
            core.state.focus.stays();
            core.views.stale_values();
        }
        // The engines may show values in another form now.
        Then::Configured | Then::Printers => core.views.stale_values(),
        Then::Sent => {}
        Then::Acknowledged(words) if !ok.is_empty() => core.acknowledge(id, words),
        Then::Acknowledged(_) => {}
        Then::SourceRules => core.views.stale_sources(&mut core.state),
        Then::Edit(file, line) => return program::edit(core, id, &file, line, good),
        Then::Type(expression) => data::types(core, id, &expression, good),
        Then::Depths(wish) => return shown::depths_known(core, id, wish, good),
        Then::Stacks(wish) => return shown::stacks_known(core, id, wish, good),
        Then::Sampled(looks) => return sampling::known(core, id, looks, &good, bad),
        Then::FrameVariables(..)
        | Then::FrameArguments(_)
        | Then::Symbols(..)
        | Then::Noted
        | Then::Why(_)
        | Then::Snapshot(_)
        | Then::UserFrames(_)
        | Then::CodeText { .. }
        | Then::NearestFunction(_) => {}
        Then::ChooseFrame(to) => return frames::frame_chosen(core, id, &to, good),
        Then::ChooseFunction(name, thread, silent) => {
            return frames::choose_function(core, id, &name, thread, silent, good);
        }
        Then::Clear(location, named) => return clearing::clear_found(core, id, &location, named.as_ref(), good),
        Then::Apply(to, flags, thread, line) => {
            return applying::apply_to(core, id, (&to, flags), thread, &line, good);
        }
        Then::NameThread(thread, name) => naming::name(core, id, thread, name.as_deref(), good),
        Then::FindThreads(pattern) => naming::find(core, id, &pattern, good),
        Then::CurrentThread(thread) => naming::current(core, id, thread, good),
        Then::SymbolAt(expression) => lookups::symbol_known(core, id, &expression, good),
        Then::CodeOf(at) => return lookups::code_known(core, id, at.as_ref(), good),
        Then::InlinedCode(at, code) => return lookups::inlined_code_known(core, id, &at, code, &good),
        Then::EachThread(group) => return each_thread::run(core, id, &group, good),
        Then::Threads(which) => program::threads(core, id, &which, good),
        Then::ChooseThread(thread) => program::thread_chosen(core, id, thread, ok, good),
        Then::Variables(scope, choice) => data::variables(core, id, scope, &choice, good),
        Then::Registers => data::registers(core, id, good),
        Then::Focus(scope, ranks) => session::focus_known(core, id, scope, ranks, &good),
        Then::Memory(format, _) => return examine::memory_known(core, id, format, good),
        Then::Places(listing) => return program::place(core, id, listing, ok, good, bad),
        Then::LastLine(first, target) => return program::last_line(core, id, first, target, ok, good, bad),
        Then::Lines { file, first, last, center } => program::lines(core, id, &file, first..=last, center, good),
        Then::Instructions { skip, examined, form } => {
            return examine::instructions_known(core, id, skip, (examined, form), good);
        }
        Then::Search(search) => return program::found_line(core, id, &search, good),
        Then::Signals => program::signals(core, id, good),
        Then::Libraries(wanted) => program::libraries(core, id, wanted.as_deref(), good),
        Then::Limits => program::limits(core, id, good),
        Then::SymbolList(query, quiet) => finding::symbols(core, id, &query, quiet, good),
        Then::BytesFound { limited } => finding::bytes(core, id, limited, good),
        Then::ProcessFacts => finding::process(core, id, good),
        Then::Saving(saving) => return writing::parts_known(core, id, saving, good, bad),
        Then::Restoring(restoring) => return restoring::answered(core, id, restoring, good, bad),
        Then::CoreFiles => program::core_files(core, id, good),
        Then::Queues => program::queues(core, id, good),
        Then::UnderEngine(_) => program::under_engine(core, id, good),
        Then::EngineText => program::texts(core, id, good, Content::EngineText),
        Then::Told => program::texts(core, id, good, Content::Text),
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;
    use model::Rank;

    #[test]
    fn many_different_reasons_are_not_compared_with_each_other() {
        let failure = |rank: u32| Failure::new(ErrorCode::DEBUGGER, format!("{} bytes", rank / 2));
        let (refusals, others) = joined((0..100_000).map(|rank| (ProcessSet::one(Rank(rank)), failure(rank))));
        assert_eq!(refusals.len(), MOST_REASONS);
        assert_eq!((refusals[1].0.to_string(), refusals[1].1.message.as_str()), ("2-3".to_owned(), "1 bytes"));
        assert_eq!(others.to_string(), format!("{}-99999", 2 * MOST_REASONS));
    }
}
