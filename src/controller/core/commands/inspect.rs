//! Looking at frames, types and source.

use super::dispatch::Target;
use crate::command::ListRange;
use crate::core::tasks::task::Then;
use crate::core::{CommandId, Controller};
use crate::report::Content;
use crate::state::SourceText;
use model::{LocationSpec, Operation, ProcessSet, Rank};
use std::sync::Arc;

/// What `list` showed last.
#[derive(Clone, Debug)]
pub(in crate::core) struct Listed {
    pub file: Arc<str>,
    first: u32,
    /// The line after the last.
    next: u32,
}

/// Which lines of a place are listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::core) enum Listing {
    /// Those around this one; `None`: around the first that has code there.
    Around(Option<u32>),
    /// From this one on, or from the first that has code there; perhaps to a last one.
    From {
        /// As it was asked for.
        first: Option<u32>,
        /// As it was asked for.
        last: Option<u32>,
    },
}

/// The line that a location names.
fn line_of(location: &LocationSpec) -> Option<u32> {
    match location {
        LocationSpec::FileLine { line, .. } | LocationSpec::Line(line) => Some(*line),
        LocationSpec::Function(_) | LocationSpec::Address(_) => None,
    }
}

impl Controller {
    /// The rank that speaks for a target: the lead when it is one of them and stopped, else the first that is.
    fn speaker(&self, ranks: &ProcessSet) -> Option<Rank> {
        let stopped = ranks.intersection(&self.at_rest());
        if stopped.contains(self.state.lead) { Some(self.state.lead) } else { stopped.first() }
    }

    pub(in crate::core) fn type_of(&mut self, id: CommandId, target: Target, expression: String, expand: bool) {
        let context = self.context(&target);
        let operation = Operation::TypeOf { context, expression: expression.clone(), expand };
        self.ask_stopped(id, target, operation, Then::Type(expression));
    }

    pub(in crate::core) fn list(&mut self, id: CommandId, target: Target, range: ListRange) {
        if self.refused(id, &target.ranks) {
            return;
        }
        let size = (self.state.variables.get("list-size") as u32).max(1);
        let shown = match self.speaker(&target.ranks) {
            Some(rank) if rank != self.state.lead => self.place_of(rank, target.thread),
            _ => self.shown_place(),
        };
        let file =
            self.listed.as_ref().map(|listed| listed.file.clone()).or_else(|| shown.as_ref().map(|p| p.file.clone()));
        match (range, file) {
            (ListRange::Around(location), _) => {
                let line = line_of(&location);
                self.list_place(id, target, location, Listing::Around(line));
            }
            (ListRange::FromPlace(location, last), _) => {
                let first = line_of(&location);
                self.list_place(id, target, location, Listing::From { first, last });
            }
            (ListRange::Lines(first, last), Some(file)) => self.lines(id, &target.ranks, file, first, last, None),
            (ListRange::From(first), Some(file)) => {
                self.lines(id, &target.ranks, file, first, first.saturating_add(size - 1), None);
            }
            (ListRange::To(last), Some(file)) => {
                self.lines(id, &target.ranks, file, last.saturating_sub(size - 1).max(1), last, None);
            }
            (ListRange::Before, Some(file)) => {
                let listed = self.listed.as_ref().map(|listed| listed.first);
                match listed.or(shown.map(|place| place.line)).unwrap_or(1).saturating_sub(1) {
                    0 => self.refuse(id, ProcessSet::new(), format!("there are no lines before the first of {file}")),
                    last => self.lines(id, &target.ranks, file, last.saturating_sub(size - 1).max(1), last, None),
                }
            }
            (ListRange::Next, Some(file)) => match (&self.listed, shown) {
                (Some(listed), _) => {
                    let first = listed.next;
                    self.lines(id, &target.ranks, file, first, first.saturating_add(size - 1), None);
                }
                (None, Some(place)) => self.lines_around(id, &target.ranks, file, place.line),
                (None, None) => self.refuse(id, ProcessSet::new(), "there is no file to list"),
            },
            (_, None) => {
                let why = "the shown rank is at no line: say what to list, as file:line or function";
                self.refuse(id, ProcessSet::new(), why);
            }
        }
    }

    /// Lists lines at a place; those of a file that is known need nobody's answer, and no code.
    fn list_place(&mut self, id: CommandId, target: Target, location: LocationSpec, listing: Listing) {
        let location = self.completed(location);
        let file = match &location {
            LocationSpec::Line(line) => {
                let why = format!("no rank of the set is at a line: line {line} of which file?");
                self.refuse(id, ProcessSet::new(), why);
                return;
            }
            LocationSpec::FileLine { file, .. } => self.known_file(file),
            LocationSpec::Function(_) | LocationSpec::Address(_) => None,
        };
        if let (Some(file), Some(line)) = (file, line_of(&location)) {
            self.list_at(id, &target.ranks, file, line, listing);
            return;
        }
        let context = self.context(&target);
        let alive = target.ranks.difference(&self.state.ranks.ended());
        let speaker = self.speaker(&target.ranks).or(alive.first());
        let ranks = speaker.map_or(target.ranks.clone(), ProcessSet::one);
        let operation = Operation::Resolve(location, context);
        self.ask_alive_then(id, Target { ranks, ..target }, operation, Then::Places(listing));
    }

    /// The file that is shown or was listed, when it is the one of this name.
    fn known_file(&self, name: &str) -> Option<Arc<str>> {
        let listed = self.listed.as_ref().map(|listed| listed.file.clone());
        let known = listed.into_iter().chain(self.shown_place().map(|place| place.file));
        let is_it = |file: &Arc<str>| {
            **file == *name || file.strip_suffix(name).is_some_and(|directory| directory.ends_with('/'))
        };
        known.into_iter().find(is_it)
    }

    /// Lists lines of a file at one of them, or at the line that was asked for.
    pub(in crate::core) fn list_at(
        &mut self,
        id: CommandId,
        ranks: &ProcessSet,
        file: Arc<str>,
        line: u32,
        listing: Listing,
    ) {
        let size = (self.state.variables.get("list-size") as u32).max(1);
        match listing {
            Listing::Around(wanted) => self.lines_around(id, ranks, file, wanted.unwrap_or(line)),
            Listing::From { first, last } => {
                let first = first.unwrap_or(line);
                let last = last.unwrap_or(first.saturating_add(size - 1)).max(first);
                self.lines(id, ranks, file, first, last, None);
            }
        }
    }

    pub(in crate::core) fn lines_around(&mut self, id: CommandId, ranks: &ProcessSet, file: Arc<str>, line: u32) {
        let size = (self.state.variables.get("list-size") as u32).max(1);
        let first = line.saturating_sub(size / 2).max(1);
        self.lines(id, ranks, file, first, first.saturating_add(size - 1), Some(line));
    }

    /// Shows lines of a file, which a rank's host is asked for when it is not known yet.
    fn lines(&mut self, id: CommandId, ranks: &ProcessSet, file: Arc<str>, first: u32, last: u32, center: Option<u32>) {
        if let Some(source) = self.state.inspection.sources.get(&file).and_then(|lookup| lookup.value()) {
            let source = source.clone();
            self.show_lines(id, &source, first, last, center);
            self.done(id);
            return;
        }
        let alive = ranks.difference(&self.state.ranks.ended());
        let Some(rank) = self.speaker(ranks).or(alive.first()) else {
            self.refuse(id, ranks.clone(), "every rank of the set has ended: nobody can read the file");
            return;
        };
        let operation = Operation::Source(file.to_string());
        self.ask(id, vec![(ProcessSet::one(rank), operation)], Then::Lines { file, first, last, center });
    }

    pub(in crate::core) fn show_lines(
        &mut self,
        id: CommandId,
        source: &SourceText,
        first: u32,
        last: u32,
        center: Option<u32>,
    ) {
        let count = source.line_count();
        if first > count || center.is_some_and(|line| line > count) {
            let wanted = center.unwrap_or(first);
            let why = format!("there is no line {wanted}: {} has {count} lines", source.file);
            self.error(id, ProcessSet::new(), why, None);
            return;
        }
        let last = last.min(count);
        let lines = (first..=last).filter_map(|number| source.line(number)).map(str::to_owned).collect();
        let mut current = self.state.current_lines(&source.file);
        current.retain(|line, _| (first..=last).contains(line));
        self.listed = Some(Listed { file: source.file.clone(), first, next: last + 1 });
        self.say(id, Content::Source { file: source.file.clone(), first, lines, current });
    }
}
