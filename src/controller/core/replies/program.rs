//! Reports answers about threads, source, signals, libraries and engines.

use crate::command::{CommandId, ListEnd};
use crate::core::Effect;
use crate::core::by_content::by_content;
use crate::core::commands::session;
use crate::core::commands::source::{inspect, searching};
use crate::core::interpreter::Interpreter;
use crate::core::target::Target;
use crate::core::tasks::task::Answers;
use crate::core::tasks::then::{LineSearch, Listing};
use crate::report::Content;
use crate::state::{Lookup, SourceText};
use model::{
    Answer, Instruction, Library, LocationSpec, ProcessSet, RegularExpression, SignalInfo, SignalName, ThreadId,
    ThreadInfo,
};
use std::collections::HashSet;
use std::ops::RangeInclusive;
use std::sync::Arc;

/// Lists threads; those that are named must exist on a rank.
pub(super) fn threads(core: &mut Interpreter, id: CommandId, which: &[ThreadId], good: Answers) {
    let has = |thread: &ThreadId| {
        let has = |answer: &Answer| matches!(answer, Answer::Threads(all) if all.iter().any(|one| one.id == *thread));
        good.iter().any(|(_, _, answer)| has(answer))
    };
    let all = good.iter().fold(ProcessSet::new(), |sum, (_, ranks, _)| sum.union(ranks));
    if let Some(missing) = which.iter().find(|thread| !has(thread))
        && !all.is_empty()
        && !which.iter().any(has)
    {
        return core.error(id, all, format!("no thread {missing}; \"threads\" lists them"), None);
    }
    for (_, ranks, answer) in good {
        if let Answer::Threads(mut threads) = answer {
            threads.retain(|thread| which.is_empty() || which.contains(&thread.id));
            let threads = with_chosen(core, &ranks, threads);
            for (ranks, threads) in core.state.thread_names.named(ranks, threads) {
                core.say(id, Content::Threads(ranks, threads));
            }
        }
    }
}

/// Marks the thread that commands are about: the one that the user has chosen, if these ranks are of the focus.
fn with_chosen(core: &Interpreter, ranks: &ProcessSet, mut threads: Vec<ThreadInfo>) -> Vec<ThreadInfo> {
    let focus = &core.state.focus;
    let chosen =
        focus.thread.filter(|chosen| ranks.is_subset(&focus.set) && threads.iter().any(|one| one.id == *chosen));
    if let Some(chosen) = chosen {
        threads.iter_mut().for_each(|thread| thread.current = thread.id == chosen);
    }
    threads
}

pub(super) fn thread_chosen(core: &mut Interpreter, id: CommandId, thread: ThreadId, ok: ProcessSet, good: Answers) {
    let has = |answer: &Answer| matches!(answer, Answer::Threads(all) if all.iter().any(|t| t.id == thread));
    let (with, without): (Vec<_>, Vec<_>) = good.into_iter().partition(|(_, _, answer)| has(answer));
    if with.is_empty() {
        core.error(id, ok, format!("no thread {thread}; \"threads\" lists them"), None);
    } else {
        for (_, ranks, _) in without {
            core.say(id, Content::Missing(ranks, format!("no thread {thread}")));
        }
        core.state.focus.select_thread(thread);
        core.state.thread = Some(thread);
        core.state.listed = None;
        session::say_focus(core, id);
    }
}

/// Says in which function and line an instruction is, in gdb's words.
fn where_it_is(code: &Instruction) -> Option<String> {
    let (address, (function, _), source) = (code.code.address?, code.function.as_ref()?, code.source.as_ref()?);
    let file = source.file.rsplit('/').next().unwrap_or(&source.file);
    Some(format!("{address} is in {function} ({file}:{}).", source.line))
}

/// Lists lines around a place; true if another request is needed.
pub(super) fn place(
    core: &mut Interpreter,
    id: CommandId,
    listing: Listing,
    ok: ProcessSet,
    good: Answers,
    bad: &ProcessSet,
) -> bool {
    let places = good.iter().find_map(|(_, ranks, answer)| match answer {
        Answer::Places(places) => places.first().map(|place| (ranks.clone(), place.clone(), None)),
        Answer::Instructions(code) => {
            let there = code.first()?;
            Some((ranks.clone(), there.source.clone()?, where_it_is(there)))
        }
        _ => None,
    });
    if let Some((ranks, place, words)) = places {
        if let (Some(words), Listing::Around(_)) = (words, listing) {
            core.say(id, Content::Text(ranks.clone(), words));
        }
        inspect::list_at(core, id, &ranks, place.file, place.line, listing);
        return true;
    }
    if bad.is_empty() {
        core.error(id, ok, "no line information for this location", None);
    }
    false
}

/// Lists the lines from a place up to the one that is known now; true if the command continues.
pub(super) fn last_line(
    core: &mut Interpreter,
    id: CommandId,
    first: LocationSpec,
    target: Target,
    ok: ProcessSet,
    good: Answers,
    bad: &ProcessSet,
) -> bool {
    let last = good.iter().find_map(|(_, _, answer)| match answer {
        Answer::Places(places) => places.first().map(|place| place.line),
        _ => None,
    });
    match last {
        Some(last) => inspect::list_from(core, id, target, first, Some(ListEnd::Line(last))),
        None if bad.is_empty() => core.error(id, ok, "no line information for the last line", None),
        None => {}
    }
    last.is_some()
}

pub(super) fn lines(
    core: &mut Interpreter,
    id: CommandId,
    file: &Arc<str>,
    range: RangeInclusive<u32>,
    center: Option<u32>,
    good: Answers,
) {
    for (_, _, answer) in good {
        if let Answer::Source { text, origin, .. } = answer {
            let source = SourceText::new(file.clone(), text).found(origin);
            inspect::show_lines(core, id, &source, *range.start(), *range.end(), center);
            core.state.inspection.sources.insert(file.clone(), Lookup::Known(source));
        }
    }
}

/// Shows the line of a file that a search finds; true if the command continues.
pub(super) fn found_line(core: &mut Interpreter, id: CommandId, search: &LineSearch, good: Answers) -> bool {
    let text = good.into_iter().find_map(|(_, _, answer)| match answer {
        Answer::Source { text, origin, .. } => Some((text, origin)),
        _ => None,
    });
    let Some((text, origin)) = text else { return false };
    let source = SourceText::new(search.file.clone(), text).found(origin);
    let goes_on = searching::show_match(core, id, &source, search);
    core.state.inspection.sources.insert(search.file.clone(), Lookup::Known(source));
    goes_on
}

/// Opens a file in an editor where a rank has found it; true if the command continues.
pub(super) fn edit(core: &mut Interpreter, id: CommandId, file: &Arc<str>, line: u32, good: Answers) -> bool {
    let found = good.into_iter().find_map(|(_, _, answer)| match answer {
        Answer::Source { origin, .. } => Some(origin.path.unwrap_or_else(|| file.to_string())),
        _ => None,
    });
    let Some(file) = found else { return false };
    core.effect(id, Effect::Edit { command: id, file, line }, None);
    true
}

pub(super) fn signals(core: &mut Interpreter, id: CommandId, good: Answers) {
    let size = core.state.size();
    let mut asked = ProcessSet::new();
    let mut names: Vec<SignalInfo> = Vec::new();
    let mut known: HashSet<SignalName> = HashSet::new();
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

/// Reports the loaded files, or those whose paths the regular expression is found in.
pub(super) fn libraries(core: &mut Interpreter, id: CommandId, wanted: Option<&str>, good: Answers) {
    let wanted = wanted.and_then(|text| RegularExpression::parse(text, false).ok());
    let is_wanted = |library: &Library| wanted.as_ref().is_none_or(|wanted| wanted.is_found_in(&library.path));
    let lists = good.into_iter().filter_map(|(_, ranks, answer)| match answer {
        Answer::Libraries(mut libraries, events) => {
            libraries.retain(is_wanted);
            (wanted.is_none() || !libraries.is_empty()).then_some((ranks, libraries, events))
        }
        _ => None,
    });
    let lists: Vec<_> = lists.collect();
    if lists.is_empty() && wanted.is_some() {
        return core.say(id, Content::Text(ProcessSet::new(), "no loaded file has such a path".to_owned()));
    }
    core.say(id, Content::Libraries(lists));
}

pub(super) fn limits(core: &mut Interpreter, id: CommandId, good: Answers) {
    let lists = good.into_iter().filter_map(|(_, ranks, answer)| match answer {
        Answer::Limits(limits) => Some((ranks, limits)),
        _ => None,
    });
    core.say(id, Content::Limits(lists.collect()));
}

pub(super) fn core_files(core: &mut Interpreter, id: CommandId, good: Answers) {
    let files = good.into_iter().filter_map(|(_, ranks, answer)| match answer {
        Answer::CoreWritten(file) => Some((ranks, file)),
        _ => None,
    });
    let files: Vec<_> = files.collect();
    if !files.is_empty() {
        core.say(id, Content::CoreFiles(files));
    }
}

pub(super) fn queues(core: &mut Interpreter, id: CommandId, good: Answers) {
    let queues = good.into_iter().filter_map(|(_, ranks, answer)| match answer {
        Answer::MessageQueues(queues) => Some((ranks, *queues)),
        _ => None,
    });
    let mut queues: Vec<_> = queues.collect();
    queues.sort_by_key(|(ranks, _)| ranks.first());
    if !queues.is_empty() {
        core.say(id, Content::Queues(queues));
    }
}

pub(super) fn under_engine(core: &mut Interpreter, id: CommandId, good: Answers) {
    for (_, ranks, answer) in good {
        if let Answer::UnderEngine(engine) = answer {
            core.say(id, Content::UnderEngine(ranks, engine));
        }
    }
}

pub(super) fn texts(core: &mut Interpreter, id: CommandId, good: Answers, content: fn(ProcessSet, String) -> Content) {
    let texts = good.into_iter().filter_map(|(_, ranks, answer)| match answer {
        Answer::Text(text) => Some((ranks, text)),
        _ => None,
    });
    for (ranks, text) in by_content(texts) {
        core.say(id, content(ranks, text));
    }
}
