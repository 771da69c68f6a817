//! A line: `[SET] NAME[/FORMAT] ARGUMENTS # comment`.

use super::arguments::{Arguments, characters};
use super::blocks::BlockKind;
use super::comment::without_comment;
use super::ignored::{ignored, opens_foreign_block};
use super::line_error::LineError;
use super::table::BlockWord;
use super::unsupported::{instead, instead_of_arguments};
use super::{Command, DebuggerCommand, Entry, ScriptCommand, table};
use crate::sets::{Scope, SetSyntaxError, parse_prefix};
use std::collections::BTreeMap;

/// The longest line that is read, in bytes.
pub(super) const LONGEST: usize = 64 * 1024;

/// A parsed line.
#[derive(Clone, Debug, PartialEq)]
pub struct Invocation {
    /// The ranks named; `None`: the focus.
    pub scope: Option<Scope>,
    /// The command with its arguments.
    pub command: Command,
    /// The character at which the arguments begin; places in expressions count from it.
    pub arguments_at: usize,
}

/// True for an empty line and a comment.
pub fn is_blank(line: &str) -> bool {
    without_comment(line).trim().is_empty()
}

/// Parses a line. `aliases` are the user's; each stands for the text before the arguments.
pub fn parse_line(line: &str, aliases: &BTreeMap<String, String>) -> Result<Invocation, LineError> {
    if line.len() > LONGEST {
        return Err(LineError { message: format!("the line is longer than {LONGEST} characters"), position: 0 });
    }
    let line = without_comment(line);
    let mut start = line.len() - line.trim_start().len();
    let mut scope = None;
    if line.get(start..).is_some_and(|rest| rest.starts_with('[')) {
        let rest = line.get(start..).unwrap_or("");
        let (parsed, length) = parse_prefix(rest)
            .map_err(|e| LineError { message: e.message, position: characters(line, start) + e.position })?;
        scope = Some(parsed);
        start += length;
    }
    let mut arguments = Arguments { line, at: start, format: None };
    let rest = arguments.rest();
    if rest.is_empty() {
        return match scope {
            None => Ok(Invocation { scope, command: Command::Nothing, arguments_at: 0 }),
            Some(_) => Err(arguments.fault(line.len(), "expected a command after the set")),
        };
    }
    let name = name_at(rest);
    if let Some(text) = aliases.get(name) {
        return expanded(text, line, arguments.place(), name.len(), scope);
    }
    if let Some((words, why)) = ignored(rest) {
        let command = DebuggerCommand::Ignored(words.to_owned(), why).into();
        return Ok(Invocation { scope, command, arguments_at: characters(line, arguments.place()) });
    }
    let entry = entry_of(&mut arguments, name)?;
    if let Some((_, at)) = arguments.format
        && !entry.takes_format
    {
        let instead = instead(line.get(start..).unwrap_or("")).map_or(String::new(), |(_, words)| format!(": {words}"));
        return Err(arguments.fault(at - 1, format!("{} does not take a format{instead}", entry.name)));
    }
    let arguments_at = characters(line, arguments.place());
    let given = arguments.rest();
    let parsed = (entry.parse)(&mut arguments).and_then(|command| arguments.end().map(|()| command));
    match parsed {
        Ok(command) => Ok(Invocation { scope, command, arguments_at }),
        Err(error) => Err(match instead_of_arguments(entry.name, given) {
            Some(words) => LineError { message: format!("{}: {words}", error.message), ..error },
            None => error,
        }),
    }
}

/// Parses the call of a command that the user defined; `None`: it is another command.
pub fn parse_call(line: &str, is_defined: impl Fn(&str) -> bool) -> Option<Invocation> {
    if line.len() > LONGEST {
        return None;
    }
    let line = without_comment(line);
    let blank = line.len() - line.trim_start().len();
    let rest = line.get(blank..)?;
    let (scope, length) = if rest.starts_with('[') {
        parse_prefix(rest).map(|(scope, length)| (Some(scope), length)).ok()?
    } else {
        (None, 0)
    };
    let arguments = Arguments { line, at: blank + length, format: None };
    let (place, name) = (arguments.place(), name_at(arguments.rest()));
    let after = line.get(place + name.len()..)?;
    if !is_defined(name) || !after.is_empty() && !after.starts_with(char::is_whitespace) {
        return None;
    }
    let arguments_at = characters(line, line.len() - after.trim_start().len());
    let command = ScriptCommand::Call(name.to_owned(), after.trim().to_owned()).into();
    Some(Invocation { scope, command, arguments_at })
}

/// Returns the part of a line's command in blocks, if it has one.
pub(super) fn block_word(line: &str) -> Option<BlockWord> {
    let line = line.trim_start();
    let length = if line.starts_with('[') { parse_prefix(line).ok()?.1 } else { 0 };
    let line = line.get(length..)?.trim_start();
    if opens_foreign_block(line) {
        return Some(BlockWord::Opens(BlockKind::Foreign));
    }
    table::find(name_at(line)).ok()?.block
}

/// Returns what follows the word that opens a block.
pub(super) fn block_arguments(line: &str) -> &str {
    let line = line.trim_start();
    let length = if line.starts_with('[') { parse_prefix(line).map_or(0, |(_, length)| length) } else { 0 };
    let rest = line.get(length..).unwrap_or("").trim_start();
    rest.get(name_at(rest).len()..).unwrap_or("").trim()
}

/// Returns the set at the start of a line, with the blanks after it, and the word of its command.
pub fn command_word(line: &str) -> Option<(&str, &str)> {
    let line = without_comment(line).trim();
    let length = if line.starts_with('[') { parse_prefix(line).ok()?.1 } else { 0 };
    let rest = line.get(length..)?;
    let name = name_at(rest.trim_start());
    let set = line.get(..line.len() - rest.trim_start().len())?;
    (!name.is_empty()).then_some((set, name))
}

/// True if a word and a full name mean the same command.
pub fn is_beginning_of(word: &str, name: &str) -> bool {
    table::find(word).is_ok_and(|entry| entry.name == name || entry.aliases.contains(&name))
}

/// True if a line begins with no name of a command, nor with the beginning of one.
pub fn is_unknown(line: &str) -> bool {
    let line = line.trim_start();
    let length = if line.starts_with('[') { parse_prefix(line).map_or(0, |(_, length)| length) } else { 0 };
    let rest = line.get(length..).unwrap_or("").trim_start();
    let name = name_at(rest);
    !name.is_empty()
        && !["info", "show", "set", "unset"].contains(&name)
        && instead(rest).is_none()
        && table::find(name).is_err_and(|candidates| candidates.is_empty())
}

/// Checks that a line, possibly unfinished, begins with a command.
pub(super) fn check_beginning(line: &str) -> Result<(), LineError> {
    let start = if line.starts_with('[') {
        let wrong = |e: SetSyntaxError| LineError { message: e.message, position: e.position };
        parse_prefix(line).map_err(wrong)?.1
    } else {
        0
    };
    let mut arguments = Arguments { line, at: start, format: None };
    let name = name_at(arguments.rest());
    entry_of(&mut arguments, name).map(drop)
}

/// Returns the command with which a line begins.
pub(super) fn entry_of_line(line: &str) -> Option<&'static Entry> {
    let mut arguments = Arguments { line, at: 0, format: None };
    entry_of(&mut arguments, name_at(line)).ok()
}

/// Returns the command of a line and where its arguments begin; the name may be one of the user's aliases.
pub(super) fn command_at(line: &str, aliases: &BTreeMap<String, String>) -> Option<(&'static Entry, usize)> {
    let blank = line.len() - line.trim_start().len();
    let rest = line.get(blank..)?;
    let length = if rest.starts_with('[') { parse_prefix(rest).ok()?.1 } else { 0 };
    let mut arguments = Arguments { line, at: blank + length, format: None };
    let name = name_at(arguments.rest());
    if let Some(text) = aliases.get(name) {
        return Some((entry_of_line(text)?, arguments.place() + name.len()));
    }
    let entry = entry_of(&mut arguments, name).ok()?;
    Some((entry, arguments.at))
}

/// Names of commands that no blank need follow.
const SIGNS: [&str; 2] = ["!", "|"];

/// Returns the command name at the start of the text.
fn name_at(text: &str) -> &str {
    if let Some(sign) = text.get(..1).filter(|sign| SIGNS.contains(sign)) {
        return sign;
    }
    let length = text.find(|c: char| !(c.is_alphanumeric() || c == '_' || c == '-')).unwrap_or(text.len());
    text.get(..length).unwrap_or("")
}

/// Takes the name of a command, of one word or two, and its format.
fn entry_of(arguments: &mut Arguments<'_>, name: &str) -> Result<&'static Entry, LineError> {
    let name_at = arguments.place();
    if name.is_empty() {
        return Err(arguments.fault(name_at, "expected a command; \"help\" lists them"));
    }
    arguments.at = name_at + name.len();
    let after = arguments.line.get(arguments.at..).unwrap_or("");
    let entry = if let Some(slash) = after.strip_prefix('/') {
        let end = slash.find(char::is_whitespace).unwrap_or(slash.len());
        arguments.format = slash.get(..end).map(|text| (text, arguments.at + 1));
        arguments.at += 1 + end;
        find(name, arguments, name_at)?
    } else if !after.is_empty()
        && !after.starts_with(char::is_whitespace)
        && !is_condition(name, after)
        && !SIGNS.contains(&name)
    {
        let c = after.chars().next().unwrap_or(' ');
        return Err(arguments.fault(arguments.at, format!("unexpected {c:?} after {name:?}")));
    } else {
        let mut second = *arguments;
        let both = second.word()?.and_then(|word| table::find_two_words(name, &word.text));
        match both {
            Some(entry) => {
                *arguments = second;
                entry
            }
            None => find(name, arguments, name_at)?,
        }
    };
    // As in gdb, a blank may precede the slash: no expression begins with one.
    if arguments.format.is_none()
        && entry.takes_format
        && let Some(slash) = arguments.rest().strip_prefix('/')
    {
        let at = arguments.place() + 1;
        let end = slash.find(char::is_whitespace).unwrap_or(slash.len());
        arguments.format = slash.get(..end).map(|text| (text, at));
        arguments.at = at + end;
    }
    Ok(entry)
}

/// True for `if(x)` and `while(x)`.
fn is_condition(name: &str, after: &str) -> bool {
    after.starts_with('(') && matches!(name, "if" | "while")
}

fn find(name: &str, arguments: &Arguments<'_>, at: usize) -> Result<&'static Entry, LineError> {
    let line = arguments.line.get(at..).unwrap_or("");
    if !table::is_name(name)
        && let Some((words, what)) = instead(line)
    {
        return Err(arguments.fault(at, format!("{words:?} is not supported: {what}")));
    }
    if "info".starts_with(name) && name.len() > 1 {
        return Err(arguments.fault(at, table::info_is_followed_by()));
    }
    table::find(name).map_err(|candidates| arguments.fault(at, table::not_a_command(name, &candidates)))
}

/// Expands a line whose first word is an alias. Places inside the alias's text become those of its name.
fn expanded(
    text: &str,
    line: &str,
    name_at: usize,
    length: usize,
    scope: Option<Scope>,
) -> Result<Invocation, LineError> {
    let rest = line.get(name_at + length..).unwrap_or("");
    // Aliases are not expanded within aliases, so there are no cycles.
    let none = BTreeMap::new();
    let shift = characters(line, name_at + length) as i64 - text.chars().count() as i64;
    let moved = |position: usize| {
        if position < text.chars().count() {
            characters(line, name_at)
        } else {
            (position as i64 + shift).max(0) as usize
        }
    };
    let mut invocation = parse_line(&format!("{text}{rest}"), &none)
        .map_err(|e| LineError { message: e.message, position: moved(e.position) })?;
    invocation.scope = scope.or(invocation.scope);
    invocation.arguments_at = moved(invocation.arguments_at);
    Ok(invocation)
}

#[cfg(test)]
mod tests;
