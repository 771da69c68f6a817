//! `forward-search`, `reverse-search`: the next or the previous line of the listed file that a regular expression
//! matches.

use super::inspect::{place_to_list, reader};
use crate::command::CommandId;
use crate::core::interpreter::Interpreter;
use crate::core::target::Target;
use crate::core::tasks::then::{LineSearch, Then};
use crate::report::Content;
use crate::state::{Listed, SourceText};
use model::{Context, Operation, ProcessSet, RegularExpression};

/// Longer lines are no source text, and would take long to compare.
const LONGEST_LINE: usize = 1 << 16;

/// Searches from the last line listed; without an expression, for the last one again.
pub(in crate::core) fn search(
    core: &mut Interpreter,
    id: CommandId,
    target: Target,
    forward: bool,
    pattern: Option<String>,
) {
    if core.refused(id, &target.ranks) {
        return;
    }
    let Some(pattern) = pattern.or_else(|| core.state.searched.clone()) else {
        return core.refuse(id, ProcessSet::new(), "no previous regular expression: give one to search for");
    };
    core.state.searched = Some(pattern.clone());
    let Some(place) = place_to_list(core, &target) else {
        let why = "no file is listed: list one first (list FILE:LINE)";
        return core.refuse(id, ProcessSet::new(), why);
    };
    let search = LineSearch { file: place.file.clone(), from: place.line, forward, pattern, ranks: target.ranks };
    if let Some(source) = core.state.inspection.sources.get(&place.file).and_then(|lookup| lookup.value()) {
        let source = source.clone();
        if !show_match(core, id, &source, &search) {
            core.done(id);
        }
        return;
    }
    let Some(rank) = reader(core, &search.ranks) else {
        let why = "cannot read the file: all ranks of the set are lost or failed to start";
        return core.refuse(id, search.ranks, why);
    };
    let operation = Operation::Source(place.file.to_string());
    core.ask(id, vec![(ProcessSet::one(rank), operation)], Then::Search(Box::new(search)));
}

/// Returns the number of the line that is found.
fn found(source: &SourceText, search: &LineSearch) -> Option<u32> {
    let pattern = RegularExpression::parse(&search.pattern, false).ok()?;
    let is_found =
        |number: &u32| source.line(*number).is_some_and(|line| line.len() <= LONGEST_LINE && pattern.is_found_in(line));
    if search.forward {
        (search.from.saturating_add(1)..=source.line_count()).find(is_found)
    } else {
        // The file may have become shorter than its debug information says.
        (1..search.from.min(source.line_count().saturating_add(1))).rev().find(is_found)
    }
}

/// Shows the line that is found, and sets `$_` to its number; true if the command continues.
pub(in crate::core) fn show_match(
    core: &mut Interpreter,
    id: CommandId,
    source: &SourceText,
    search: &LineSearch,
) -> bool {
    let file = &source.file;
    let Some(line) = found(source, search) else {
        let LineSearch { from, pattern, .. } = search;
        let side = if search.forward { "after" } else { "before" };
        let why = format!("Expression not found: no line {side} {from} of {file} matches {pattern:?}");
        core.error(id, ProcessSet::new(), why, None);
        return false;
    };
    // As in gdb, `list` shows the lines around it, and the next search begins behind it.
    let next = line.saturating_sub(core.state.list_size() / 2).max(1);
    core.state.listed = Some(Listed { file: file.clone(), first: line, last: line, next });
    let mut current = core.state.shown_lines(file);
    current.retain(|number, _| *number == line);
    let lines = source.line(line).map(str::to_owned).into_iter().collect();
    core.say(id, Content::Source { file: file.clone(), first: line, lines, current, origin: source.origin.clone() });
    let readable = core.state.ranks.at_rest().union(&core.state.ranks.with_files_only());
    let readable = search.ranks.intersection(&readable);
    if readable.is_empty() {
        return false;
    }
    let operation = Operation::Evaluate { context: Context::default(), expression: format!("$_ = {line}") };
    core.ask(id, vec![(readable, operation)], Then::Noted);
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_found_on_either_side() {
        let source = SourceText::new("a.c".into(), "int a;\nint b;\nchar c;\nint d;\n".into());
        let at = |forward: bool, from: u32, pattern: &str| {
            let ranks = ProcessSet::new();
            found(&source, &LineSearch { file: "a.c".into(), from, forward, pattern: pattern.into(), ranks })
        };
        assert_eq!(at(true, 1, "^int"), Some(2));
        assert_eq!(at(true, 2, "^int"), Some(4));
        assert_eq!(at(true, 4, "^int"), None);
        assert_eq!(at(false, 4, "int"), Some(2));
        assert_eq!(at(false, 1, "int"), None);
        assert_eq!(at(true, u32::MAX, "int"), None);
        assert_eq!(at(false, u32::MAX, "c;"), Some(3));
    }
}
