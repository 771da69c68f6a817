//! Parses the arguments of each command.

pub(super) mod arrays;
mod breakpoint_ids;
pub(super) mod breakpoints;
pub(super) mod control;
pub(super) mod data;
pub(super) mod examine;
pub(super) mod finding;
mod logging;
pub(super) mod print_value;
pub(super) mod program_start;
pub(super) mod rank_colours;
pub(super) mod rank_layout;
pub(super) mod reverse;
pub(super) mod saving;
pub(super) mod scripts;
pub(super) mod session;
pub(super) mod settings;
pub(super) mod signals;
pub(super) mod skips;
pub(super) mod snapshots;
pub(super) mod stack;

pub(crate) use program_start::{lines_of, text_of};

use super::Command;
use super::arguments::{Arguments, Word};
use super::line_error::LineError;
use model::LocationSpec;

/// Parses a number in a word.
fn number<T: std::str::FromStr>(arguments: &Arguments<'_>, word: &Word, what: &str) -> Result<T, LineError> {
    word.text.parse().map_err(|_| arguments.fault(word.at, format!("expected {what}, not {:?}", word.text)))
}

/// Takes a number; 1 if there is none.
fn count(arguments: &mut Arguments<'_>) -> Result<u32, LineError> {
    match arguments.word()? {
        None => Ok(1),
        Some(word) => match number(arguments, &word, "a number")? {
            0 => Err(arguments.fault(word.at, "expected a number from 1")),
            n => Ok(n),
        },
    }
}

/// Parses a location at a byte of the line.
fn location(arguments: &Arguments<'_>, text: &str, at: usize) -> Result<LocationSpec, LineError> {
    if let Some((set, rest)) = text.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
        // No location begins with a bracket.
        let before = arguments.line.get(..at).unwrap_or("").trim_end();
        let name = before.rsplit(|c: char| c.is_whitespace() || c == ']').next().unwrap_or("");
        let message = format!("the set goes before the command: [{set}] {name} {}", rest.trim());
        return Err(arguments.fault(at, message.trim_end()));
    }
    LocationSpec::parse(text).map_err(|error| arguments.fault_within(at, error.position, error.message))
}

fn nothing(command: Command) -> Result<Command, LineError> {
    Ok(command)
}

#[cfg(test)]
mod tests {
    use crate::command::parse_line;
    use std::collections::BTreeMap;

    #[test]
    fn a_set_behind_the_command_is_refused_with_the_line_that_was_meant() {
        for (line, meant) in [
            ("break [37,45] f.c:90", "[37,45] break f.c:90"),
            ("tbreak [0-3]  main", "[0-3] tbreak main"),
            ("[all] until [2] 90", "[2] until 90"),
            ("list [2] f.c:1", "[2] list f.c:1"),
        ] {
            let error = parse_line(line, &BTreeMap::new()).unwrap_err();
            assert_eq!(error.message, format!("the set goes before the command: {meant}"));
            assert_eq!(error.position, line.rfind('[').unwrap());
        }
        parse_line("break f.c:90 if a[1] > 2", &BTreeMap::new()).unwrap();
        parse_line("break *a[1]", &BTreeMap::new()).unwrap();
    }
}
