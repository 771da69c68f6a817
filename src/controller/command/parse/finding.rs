//! Arguments of the commands that find things.

use crate::command::arguments::Arguments;
use crate::command::line_error::LineError;
use crate::command::{Command, FindingCommand};
use model::{MemorySearch, PathPart, ProcessPart, SymbolKind, SymbolQuery};

/// The largest number of rows that are listed if none is given.
const USUAL_ROWS: u32 = 200;
/// The largest number of rows that may be given: an answer is one message.
const MOST_ROWS: u32 = 20_000;
/// The largest number of matches of `find` if none is given.
const USUAL_MATCHES: u32 = 1000;
/// The largest number of matches that may be given.
const MOST_MATCHES: u32 = 100_000;

pub(in crate::command) fn functions(arguments: &mut Arguments<'_>) -> Result<Command, LineError> {
    symbols(arguments, SymbolKind::Functions)
}

pub(in crate::command) fn variables(arguments: &mut Arguments<'_>) -> Result<Command, LineError> {
    symbols(arguments, SymbolKind::Variables)
}

pub(in crate::command) fn types(arguments: &mut Arguments<'_>) -> Result<Command, LineError> {
    symbols(arguments, SymbolKind::Types)
}

pub(in crate::command) fn sources(arguments: &mut Arguments<'_>) -> Result<Command, LineError> {
    symbols(arguments, SymbolKind::Sources)
}

/// Takes gdb's options, and the rest of the line as a regular expression.
fn symbols(arguments: &mut Arguments<'_>, kind: SymbolKind) -> Result<Command, LineError> {
    let mut query = SymbolQuery::all(kind, USUAL_ROWS);
    let mut quiet = false;
    let has_types = matches!(kind, SymbolKind::Functions | SymbolKind::Variables);
    loop {
        let before = *arguments;
        let Some(word) = arguments.word()?.filter(|word| word.text.starts_with('-')) else {
            *arguments = before;
            break;
        };
        match word.text.as_str() {
            "--" => break,
            "-q" if kind != SymbolKind::Sources => quiet = true,
            "-n" if has_types => query.described_only = true,
            "-t" if has_types => query.type_name = Some(arguments.required("a regular expression for the type")?.text),
            "-dirname" if kind == SymbolKind::Sources => query.part = PathPart::Directory,
            "-basename" if kind == SymbolKind::Sources => query.part = PathPart::File,
            "-limit" => {
                let number = arguments.required("a number of rows")?;
                query.limit = match number.text.parse() {
                    Ok(n) if (1..=MOST_ROWS).contains(&n) => n,
                    _ => {
                        let message = format!("expected a number of rows from 1 to {MOST_ROWS}");
                        return Err(arguments.fault(number.at, message));
                    }
                };
            }
            other => {
                let options = match kind {
                    SymbolKind::Sources => "-dirname, -basename, -limit N",
                    SymbolKind::Types => "-q, -limit N",
                    _ => "-q, -n, -t TYPE, -limit N",
                };
                let message = format!("unknown option {other:?}: expected {options}, or -- before the expression");
                return Err(arguments.fault(word.at, message));
            }
        }
    }
    let at = arguments.place();
    let pattern = arguments.take_rest();
    if !pattern.is_empty() {
        model::RegularExpression::parse(pattern, false)
            .map_err(|error| arguments.fault_within(at, error.position, error.to_string()))?;
        query.name = Some(pattern.to_owned());
    }
    Ok(FindingCommand::Symbols { query: Box::new(query), quiet }.into())
}

/// Parses `[/SIZE-CHAR] [/MAX-COUNT] START, +LENGTH | END, EXPRESSION…`.
pub(in crate::command) fn find(arguments: &mut Arguments<'_>) -> Result<Command, LineError> {
    let (mut unit, mut limit) = (None, None);
    if let Some((text, at)) = arguments.format {
        flags(arguments, text, at, &mut unit, &mut limit)?;
    }
    while arguments.rest().starts_with('/') {
        let word = arguments.required("a size or a number of matches")?;
        flags(arguments, word.text.get(1..).unwrap_or_default(), word.at + 1, &mut unit, &mut limit)?;
    }
    let at = arguments.place();
    let text = arguments.required_rest("a start address")?;
    let mut parts = split(text).into_iter();
    let end_of_line = at + text.len();
    let start = parts.next().unwrap_or_default();
    let end = parts.next().filter(|end| !end.is_empty());
    let end = end.ok_or_else(|| arguments.fault(end_of_line, "expected , END or , +LENGTH after the start address"))?;
    let (is_length, end) = end.strip_prefix('+').map_or((false, end), |length| (true, length.trim()));
    let values: Vec<String> = parts.map(str::to_owned).collect();
    if values.is_empty() {
        return Err(arguments.fault(end_of_line, "expected , EXPRESSION: what to search for"));
    }
    if start.is_empty() || values.iter().any(String::is_empty) {
        return Err(arguments.fault(at, "expected an expression between the commas"));
    }
    let search = MemorySearch {
        start: start.to_owned(),
        end: end.to_owned(),
        is_length,
        values,
        unit,
        limit: limit.unwrap_or(USUAL_MATCHES),
    };
    Ok(FindingCommand::Memory { search: Box::new(search), limited: limit.is_some() }.into())
}

fn flags(
    arguments: &Arguments<'_>,
    text: &str,
    at: usize,
    unit: &mut Option<u32>,
    limit: &mut Option<u32>,
) -> Result<(), LineError> {
    let letters = text.trim_start_matches(|c: char| c.is_ascii_digit());
    let digits = text.get(..text.len() - letters.len()).unwrap_or_default();
    let (before, after) = (digits, letters.trim_start_matches(|c: char| c.is_ascii_alphabetic()));
    let size = letters.get(..letters.len() - after.len()).unwrap_or_default();
    let count = if before.is_empty() { after } else { before };
    *unit = match size {
        "" => *unit,
        "b" => Some(1),
        "h" => Some(2),
        "w" => Some(4),
        "g" => Some(8),
        _ => return Err(arguments.fault(at, "expected a size: b (1 byte), h (2), w (4) or g (8)")),
    };
    if !count.is_empty() {
        *limit = match count.parse() {
            Ok(n) if (1..=MOST_MATCHES).contains(&n) => Some(n),
            _ => return Err(arguments.fault(at, format!("expected a number of matches from 1 to {MOST_MATCHES}"))),
        };
    }
    Ok(())
}

/// Splits a text at its commas, except those in brackets and quotation marks.
fn split(text: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let (mut depth, mut quote, mut escaped, mut from) = (0_u32, None, false, 0);
    for (at, c) in text.char_indices() {
        match (quote, c) {
            _ if escaped => escaped = false,
            (Some(_), '\\') => escaped = true,
            (Some(open), _) if c == open => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'') => quote = Some(c),
            (None, '(' | '[' | '{') => depth += 1,
            (None, ')' | ']' | '}') => depth = depth.saturating_sub(1),
            (None, ',') if depth == 0 => {
                parts.push(text.get(from..at).unwrap_or_default().trim());
                from = at + 1;
            }
            _ => {}
        }
    }
    parts.push(text.get(from..).unwrap_or_default().trim());
    parts
}

/// gdb's subcommands of `info proc`.
const PARTS: [(&str, ProcessPart); 6] = [
    ("mappings", ProcessPart::Mappings),
    ("status", ProcessPart::Status),
    ("cmdline", ProcessPart::CommandLine),
    ("cwd", ProcessPart::Directory),
    ("exe", ProcessPart::Executable),
    ("all", ProcessPart::All),
];

pub(in crate::command) fn process(arguments: &mut Arguments<'_>) -> Result<Command, LineError> {
    let Some(word) = arguments.word()? else { return Ok(FindingCommand::Process(ProcessPart::Summary).into()) };
    let mut found = PARTS.iter().filter(|(name, _)| name.starts_with(&word.text));
    match (found.next(), found.next()) {
        (Some((_, part)), None) => Ok(FindingCommand::Process(*part).into()),
        _ => Err(arguments.fault(word.at, "expected mappings, status, cmdline, cwd, exe, all or nothing")),
    }
}

pub(in crate::command) fn auxiliary_vector(_: &mut Arguments<'_>) -> Result<Command, LineError> {
    Ok(FindingCommand::Process(ProcessPart::AuxiliaryVector).into())
}

pub(in crate::command) fn address(arguments: &mut Arguments<'_>) -> Result<Command, LineError> {
    Ok(FindingCommand::Address(arguments.required_rest("the name of a variable or function")?.to_owned()).into())
}

pub(in crate::command) fn virtual_tables(arguments: &mut Arguments<'_>) -> Result<Command, LineError> {
    Ok(FindingCommand::VirtualTables(arguments.required_rest("an object or a pointer to one")?.to_owned()).into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commas_in_brackets_and_texts_separate_nothing() {
        assert_eq!(split("f(a, b), +8, \"x, y\", {char[2]}p, ','"), ["f(a, b)", "+8", "\"x, y\"", "{char[2]}p", "','"]);
        assert_eq!(split("a,"), ["a", ""]);
        assert_eq!(split("\"a\\\", b\", c"), ["\"a\\\", b\"", "c"]);
    }
}
