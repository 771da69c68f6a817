//! Inspects frames, types and source.

use crate::command::{CommandId, ListEnd, ListRange};
use crate::core::Effect;
use crate::core::commands::breakpoints::location_or_shown;
use crate::core::interpreter::Interpreter;
use crate::core::target::Target;
use crate::core::tasks::then::{Listing, Then};
use crate::report::Content;
use crate::state::{Listed, SourceText};
use model::{
    DisassemblyFlavor, FunctionLine, LocationSpec, Operation, ProcessSet, Rank, Severity, SourcePlace, TypeDetail,
};
use std::sync::Arc;

/// The function whose file is listed if none was shown yet.
const MAIN: &str = "main";

/// Returns the line that a location names.
fn line_of(location: &LocationSpec) -> Option<u32> {
    match location {
        LocationSpec::FileLine { line, .. } | LocationSpec::Line(line) => Some(*line),
        LocationSpec::Function(_) | LocationSpec::Address(_) => None,
    }
}

/// Returns the rank that answers for a target: the lead if it is a stopped member, else the first stopped one.
pub(super) fn speaker(core: &Interpreter, ranks: &ProcessSet) -> Option<Rank> {
    let stopped = ranks.intersection(&core.state.ranks.at_rest());
    if stopped.contains(core.state.lead) { Some(core.state.lead) } else { stopped.first() }
}

/// Returns the rank that answers from the files of its program: the speaker, else one that runs, else one that has
/// ended.
pub(super) fn reader(core: &Interpreter, ranks: &ProcessSet) -> Option<Rank> {
    let alive = ranks.difference(&core.state.ranks.ended());
    let ended = || ranks.intersection(&core.state.ranks.with_files_only()).first();
    speaker(core, ranks).or(alive.first()).or_else(ended)
}

pub(in crate::core) fn type_of(
    core: &mut Interpreter,
    id: CommandId,
    target: Target,
    expression: String,
    detail: TypeDetail,
) {
    let context = core.context(&target);
    let operation = Operation::TypeOf { context, expression: expression.clone(), detail };
    core.ask_stopped(id, target, operation, Then::Type(expression));
}

/// Returns the line of the shown frame of a target; if there is none, the line shown last.
fn shown_place(core: &Interpreter, target: &Target) -> Option<SourcePlace> {
    let shown = match speaker(core, &target.ranks) {
        Some(rank) if rank != core.state.lead => core.state.place_of(rank, target.thread),
        _ => core.state.shown_place(),
    };
    shown.or_else(|| core.state.last_shown.clone())
}

/// Returns the last line listed, or that of the shown frame.
pub(super) fn place_to_list(core: &Interpreter, target: &Target) -> Option<SourcePlace> {
    match &core.state.listed {
        Some(listed) => Some(SourcePlace { file: listed.file.clone(), line: listed.last }),
        None => shown_place(core, target),
    }
}

/// Returns the last line listed or shown if all ranks of a target have ended: they have no frame that names one.
pub(in crate::core) fn place_after_end(core: &Interpreter, target: &Target) -> Option<LocationSpec> {
    if !target.ranks.is_subset(&core.state.ranks.ended()) {
        return None;
    }
    let place = place_to_list(core, target)?;
    Some(LocationSpec::FileLine { file: place.file.to_string(), line: place.line })
}

pub(in crate::core) fn list(core: &mut Interpreter, id: CommandId, target: Target, range: ListRange) {
    if core.refused(id, &target.ranks) {
        return;
    }
    let size = core.state.list_size();
    let shown = shown_place(core, &target);
    let file =
        core.state.listed.as_ref().map(|listed| listed.file.clone()).or_else(|| shown.as_ref().map(|p| p.file.clone()));
    match (range, file) {
        (ListRange::Around(location), _) => {
            let location = core.state.completed_for_list(location);
            let line = line_of(&location);
            list_place(core, id, target, location, Listing::Around(line));
        }
        (ListRange::FromPlace(location, last), _) => {
            let location = core.state.completed_for_list(location);
            list_from(core, id, target, location, last);
        }
        (ListRange::Between(first, last), _) => {
            let last = core.state.completed_for_list(last);
            let (context, ranks) = (core.context(&target), one_rank(core, &target));
            let then = Then::LastLine(first, target.clone());
            let operation = Operation::Resolve(last, context, FunctionLine::Entry);
            core.ask_alive_then(id, Target { ranks, ..target }, operation, then);
        }
        (ListRange::ToPlace(location), _) => {
            let location = core.state.completed_for_list(location);
            let last = line_of(&location);
            list_place(core, id, target, location, Listing::To(last));
        }
        (ListRange::Lines(first, last), Some(file)) => lines(core, id, &target.ranks, file, first, last, None),
        (ListRange::From(first), Some(file)) => {
            lines(core, id, &target.ranks, file, first, first.saturating_add(size - 1), None);
        }
        (ListRange::To(last), Some(file)) => {
            lines(core, id, &target.ranks, file, last.saturating_sub(size - 1).max(1), last, None);
        }
        (ListRange::Before, Some(file)) => {
            let listed = core.state.listed.as_ref().map(|listed| listed.first);
            match listed.or(shown.map(|place| place.line)).unwrap_or(1).saturating_sub(1) {
                0 => core.refuse(id, ProcessSet::new(), format!("no lines before line 1 of {file}")),
                last => lines(core, id, &target.ranks, file, last.saturating_sub(size - 1).max(1), last, None),
            }
        }
        (ListRange::Next, Some(file)) => match (&core.state.listed, shown) {
            (Some(listed), _) => {
                let first = listed.next;
                lines(core, id, &target.ranks, file, first, first.saturating_add(size - 1), None);
            }
            (None, Some(place)) => lines_around(core, id, &target.ranks, file, place.line),
            (None, None) => core.refuse(id, ProcessSet::new(), "no file to list"),
        },
        // As in gdb, the file of main is meant.
        (range, None) => {
            let listing = match range {
                ListRange::Lines(first, last) => Listing::From { first: Some(first), last: Some(ListEnd::Line(last)) },
                ListRange::From(first) => Listing::From { first: Some(first), last: None },
                ListRange::To(last) => Listing::To(Some(last)),
                _ => Listing::Around(None),
            };
            list_place(core, id, target, LocationSpec::Function(MAIN.to_owned()), listing);
        }
    }
}

/// Opens the source of a place in the user's editor; without one, that of the shown frame.
pub(in crate::core) fn edit(core: &mut Interpreter, id: CommandId, target: Target, location: Option<LocationSpec>) {
    match location_or_shown(core, id, location) {
        Some(location) if !core.refused(id, &target.ranks) => list_place(core, id, target, location, Listing::Edit),
        _ => {}
    }
}

/// Lists lines from a place on.
pub(in crate::core) fn list_from(
    core: &mut Interpreter,
    id: CommandId,
    target: Target,
    location: LocationSpec,
    last: Option<ListEnd>,
) {
    let first = line_of(&location);
    list_place(core, id, target, location, Listing::From { first, last });
}

/// Returns one rank of a target that can say where a place is.
fn one_rank(core: &Interpreter, target: &Target) -> ProcessSet {
    reader(core, &target.ranks).map_or(target.ranks.clone(), ProcessSet::one)
}

/// Lists lines at a place; a known file needs no reply of a rank, and no code at the line.
fn list_place(core: &mut Interpreter, id: CommandId, target: Target, location: LocationSpec, listing: Listing) {
    let location = core.state.completed(location);
    let location = match location {
        LocationSpec::Line(_) => LocationSpec::Function(MAIN.to_owned()),
        location => location,
    };
    let file = match &location {
        LocationSpec::FileLine { file, .. } => known_file(core, file),
        LocationSpec::Line(_) | LocationSpec::Function(_) | LocationSpec::Address(_) => None,
    };
    if let (Some(file), Some(line)) = (file, line_of(&location)) {
        list_at(core, id, &target.ranks, file, line, listing);
        return;
    }
    let (context, ranks) = (core.context(&target), one_rank(core, &target));
    let operation = match location {
        // Its instruction tells the function too.
        LocationSpec::Address(_) => {
            let flavor = DisassemblyFlavor::default();
            Operation::Disassemble { context, at: Some(location), count: Some(1), flavor }
        }
        location => Operation::Resolve(location, context, FunctionLine::Entry),
    };
    core.ask_alive_then(id, Target { ranks, ..target }, operation, Then::Places(listing));
}

/// Returns the shown or the listed file if it has this name.
fn known_file(core: &Interpreter, name: &str) -> Option<Arc<str>> {
    let listed = core.state.listed.as_ref().map(|listed| listed.file.clone());
    let shown = core.state.shown_place().or_else(|| core.state.last_shown.clone());
    let known = listed.into_iter().chain(shown.map(|place| place.file));
    let is_it =
        |file: &Arc<str>| **file == *name || file.strip_suffix(name).is_some_and(|directory| directory.ends_with('/'));
    known.into_iter().find(is_it)
}

/// Lists lines of a file around this one, or around the line that was requested.
pub(in crate::core) fn list_at(
    core: &mut Interpreter,
    id: CommandId,
    ranks: &ProcessSet,
    file: Arc<str>,
    line: u32,
    listing: Listing,
) {
    let size = core.state.list_size();
    match listing {
        Listing::Edit => {
            match reader(core, ranks) {
                // It knows where the file is now.
                Some(rank) => {
                    let operation = Operation::Source(file.to_string());
                    core.ask(id, vec![(ProcessSet::one(rank), operation)], Then::Edit(file, line));
                }
                None => core.effect(id, Effect::Edit { command: id, file: file.to_string(), line }, None),
            }
        }
        Listing::Around(wanted) => lines_around(core, id, ranks, file, wanted.unwrap_or(line)),
        Listing::From { first, last } => {
            let first = first.unwrap_or(line);
            let last = match last {
                Some(ListEnd::Line(last)) => last,
                Some(ListEnd::After(more)) => first.saturating_add(more),
                None => first.saturating_add(size - 1),
            };
            lines(core, id, ranks, file, first, last.max(first), None);
        }
        Listing::To(last) => {
            let last = last.unwrap_or(line);
            lines(core, id, ranks, file, last.saturating_sub(size - 1).max(1), last, None);
        }
    }
}

pub(in crate::core) fn lines_around(
    core: &mut Interpreter,
    id: CommandId,
    ranks: &ProcessSet,
    file: Arc<str>,
    line: u32,
) {
    let size = core.state.list_size();
    let first = line.saturating_sub(size / 2).max(1);
    lines(core, id, ranks, file, first, first.saturating_add(size - 1), Some(line));
}

/// Shows lines of a file; requests it from a rank's host if it is not known yet.
fn lines(
    core: &mut Interpreter,
    id: CommandId,
    ranks: &ProcessSet,
    file: Arc<str>,
    first: u32,
    last: u32,
    center: Option<u32>,
) {
    if let Some(source) = core.state.inspection.sources.get(&file).and_then(|lookup| lookup.value()) {
        let source = source.clone();
        show_lines(core, id, &source, first, last, center);
        core.done(id);
        return;
    }
    let Some(rank) = reader(core, ranks) else {
        core.refuse(id, ranks.clone(), "cannot read the file: all ranks of the set are lost or failed to start");
        return;
    };
    let operation = Operation::Source(file.to_string());
    core.ask(id, vec![(ProcessSet::one(rank), operation)], Then::Lines { file, first, last, center });
}

pub(in crate::core) fn show_lines(
    core: &mut Interpreter,
    id: CommandId,
    source: &SourceText,
    first: u32,
    last: u32,
    center: Option<u32>,
) {
    let count = source.line_count();
    if first > count || center.is_some_and(|line| line > count) {
        let wanted = center.unwrap_or(first);
        let why = format!("no line {wanted}: {} has {count} lines", source.file);
        core.error(id, ProcessSet::new(), why, None);
        return;
    }
    let last = last.min(count);
    let lines = (first..=last).filter_map(|number| source.line(number)).map(str::to_owned).collect();
    let mut current = core.state.shown_lines(&source.file);
    current.retain(|line, _| (first..=last).contains(line));
    core.state.listed = Some(Listed { file: source.file.clone(), first, last, next: last + 1 });
    if let Some(warning) = source.change_words()
        && core.state.inspection.warned.insert(source.file.clone())
    {
        core.say(id, Content::Message(Severity::Warning, ProcessSet::new(), warning));
    }
    let (file, origin) = (source.file.clone(), source.origin.clone());
    core.say(id, Content::Source { file, first, lines, current, origin });
}
