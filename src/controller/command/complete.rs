//! Completion at the prompt.

use super::VARIABLES;
use super::line::without_comment;
use super::table::{self, ArgumentKind, entries};
use crate::controller::sets::PREDICATES;
use crate::controller::state::State;

/// What may stand at the end of a line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Completion {
    /// Byte of the line where what is completed begins.
    pub start: usize,
    /// What may stand there, in order.
    pub candidates: Vec<String>,
}

/// What may stand at the end of a line that was typed so far.
pub fn complete(line: &str, state: &State) -> Completion {
    if without_comment(line).len() < line.trim_end().len() {
        return Completion { start: line.len(), candidates: Vec::new() };
    }
    let trimmed = line.trim_start();
    let mut at = line.len() - trimmed.len();
    if trimmed.starts_with('[') {
        match trimmed.find(']') {
            None => return words(line, sets(state)),
            Some(end) => at += end + 1,
        }
    }
    let rest = line.get(at..).unwrap_or("");
    let body = rest.trim_start();
    let name_length = body.find(|c: char| !(c.is_alphanumeric() || c == '_' || c == '-')).unwrap_or(body.len());
    if name_length == body.len() {
        let names = entries().map(|entry| entry.name.to_owned());
        let own = state.aliases.keys().cloned();
        return words(line, names.chain(own).collect());
    }
    let Ok(entry) = table::find(body.get(..name_length).unwrap_or("")) else {
        return Completion { start: line.len(), candidates: Vec::new() };
    };
    let list = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect();
    let first = body.get(name_length..).unwrap_or("").split_whitespace().count()
        <= usize::from(!line.ends_with(char::is_whitespace));
    words(
        line,
        match entry.arguments {
            ArgumentKind::Set => sets(state),
            ArgumentKind::Group => state.groups.keys().cloned().collect(),
            ArgumentKind::Breakpoints => state.breakpoints.keys().map(ToString::to_string).collect(),
            ArgumentKind::Signal(_) if first => state.signals.iter().map(|row| row.info.name.to_string()).collect(),
            ArgumentKind::Signal(actions) => list(actions),
            ArgumentKind::Command => entries().map(|entry| entry.name.to_owned()).collect(),
            ArgumentKind::Setting if first => VARIABLES.iter().map(|variable| variable.name.to_owned()).collect(),
            ArgumentKind::Words(names) => list(names),
            ArgumentKind::Expression => names(state),
            ArgumentKind::Location => functions(state),
            _ => Vec::new(),
        },
    )
}

/// Candidates that begin as the last word of the line does.
fn words(line: &str, mut candidates: Vec<String>) -> Completion {
    let boundary = |c: char| !(c.is_alphanumeric() || matches!(c, '_' | '-' | '.'));
    let start = line
        .rfind(boundary)
        .map_or(0, |at| at + line.get(at..).and_then(|t| t.chars().next()).map_or(1, char::len_utf8));
    let begun = line.get(start..).unwrap_or("");
    candidates.retain(|candidate| candidate.starts_with(begun) && candidate != begun);
    candidates.sort();
    candidates.dedup();
    Completion { start, candidates }
}

fn sets(state: &State) -> Vec<String> {
    PREDICATES.iter().map(|&name| name.to_owned()).chain(state.groups.keys().cloned()).collect()
}

/// Variables that are on the screen.
fn names(state: &State) -> Vec<String> {
    let shown = [&state.inspection.locals, &state.inspection.arguments];
    shown.into_iter().filter_map(|lookup| lookup.value()).flatten().map(|variable| variable.name.clone()).collect()
}

/// Functions of the stack on the screen, and where breakpoints are.
fn functions(state: &State) -> Vec<String> {
    let stack = state.inspection.stack.value().into_iter().flatten();
    let on_stack = stack.filter_map(|frame| frame.function.as_deref().map(str::to_owned));
    on_stack
        .chain(state.breakpoints.values().filter_map(|b| b.request.point.place()).map(ToString::to_string))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::ProcessSet;

    #[test]
    fn each_argument_completes_as_what_it_is() {
        let mut state = State::default();
        state.groups.insert("left".into(), ProcessSet::range(0, 1));
        for (line, start, candidates) in [
            ("ste", 0, vec!["step", "stepi"]),
            ("[0-3] unh", 6, vec!["unhold"]),
            ("[le", 1, vec!["left"]),
            ("focus st", 6, vec!["state", "stopped"]),
            ("focus all - le", 12, vec!["left"]),
            ("handle SIGUSR", 7, vec!["SIGUSR1", "SIGUSR2"]),
            ("handle SIGUSR1 nos", 15, vec!["nostop"]),
            ("set pat", 4, vec!["patience"]),
            ("wait ex", 5, vec!["exited"]),
            ("ungroup ", 8, vec!["left"]),
            ("nonsense x", 10, vec![]),
            ("print x # ste", 13, vec![]),
        ] {
            let completion = complete(line, &state);
            assert_eq!(
                (completion.start, completion.candidates),
                (start, candidates.iter().map(|&c| c.to_owned()).collect()),
                "{line}"
            );
        }
    }
}
