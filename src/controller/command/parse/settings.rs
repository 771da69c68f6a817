//! Arguments of `set`: a setting, or an assignment to a variable of the program.

use super::{logging, program_start};
use crate::command::arguments::Arguments;
use crate::command::fixed_settings::find_fixed;
use crate::command::ignored::ignored;
use crate::command::line::check_beginning;
use crate::command::line_error::LineError;
use crate::command::unsupported::instead;
use crate::command::variable_table::{Sort, Variable, find, find_other, find_print, print_words};
use crate::command::{Command, DataCommand, DebuggerCommand};

/// True if a word is gdb's `print` in `set print pretty`, which may be abbreviated.
pub(super) fn is_print(word: &str) -> bool {
    !word.is_empty() && "print".starts_with(word)
}

/// Returns the value to set; `None` if there is none and the setting needs one.
fn value_for(variable: &Variable, value: &str) -> Option<String> {
    match variable.sort {
        Sort::Print(_) if value.is_empty() => Some("on".to_owned()),
        _ => (!value.is_empty()).then(|| value.to_owned()),
    }
}

pub(in crate::command) fn set(arguments: &mut Arguments<'_>) -> Result<Command, LineError> {
    if let Some(command) = program_start::set(arguments)? {
        return Ok(command);
    }
    if let Some(command) = logging::set(arguments)? {
        return Ok(command);
    }
    let at = arguments.place();
    let text = arguments.required_rest("EXPRESSION = EXPRESSION, or SETTING VALUE")?;
    let (first, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    let rest = rest.trim_start();
    let assigns = rest.starts_with('=') && !rest.starts_with("==");
    if (first == "var" || first == "variable") && !assigns {
        return Ok(DataCommand::Assign(rest.to_owned()).into());
    }
    if let Some(variable) = find(first)
        && !rest.starts_with('=')
    {
        let value = value_for(variable, rest);
        let value = value.ok_or_else(|| arguments.fault(at + text.len(), format!("expected a value for {first}")))?;
        return Ok(DebuggerCommand::Set(variable.name.to_owned(), value).into());
    }
    if let Some((fixed, value)) = find_fixed(text).filter(|_| !assigns) {
        if !fixed.accepts(value) {
            return Ok(DebuggerCommand::Ignored(format!("set {text}"), fixed.words).into());
        }
        return Ok(DebuggerCommand::SetAsItIs(fixed.name, fixed.value, fixed.words).into());
    }
    if let Some((words, why)) = ignored(&format!("set {text}")).filter(|_| !assigns) {
        return Ok(DebuggerCommand::Ignored(words.to_owned(), why).into());
    }
    // `set history size = 3` assigns nothing to a variable.
    let of_gdb = if assigns { None } else { instead(&format!("set {text}")) };
    if of_gdb.is_none() && (is_assignment(text) || is_no_setting(first)) {
        return Ok(DataCommand::Assign(text.to_owned()).into());
    }
    // In gdb they are two words, or without the hyphen.
    let (second, value) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
    let value = value.trim();
    let of_print = if is_print(first) { find_print(second) } else { None };
    let of_gdb_name = || find(&format!("{first}-{second}")).or_else(|| find_other(first, second));
    if let Some(variable) = of_print.or_else(of_gdb_name) {
        let missing = || arguments.fault(at + text.len(), format!("expected a value for {first} {second}"));
        let value = value_for(variable, value).ok_or_else(missing)?;
        // gdb's words for no limit.
        let value = match (variable.sort, value.as_str()) {
            (Sort::Number { greatest, .. }, "unlimited" | "0") if first == "backtrace" => greatest.to_string(),
            _ => value,
        };
        return Ok(DebuggerCommand::Set(variable.name.to_owned(), value).into());
    }
    if first == "listsize" && !rest.is_empty() {
        return Ok(DebuggerCommand::Set("list-size".to_owned(), rest.to_owned()).into());
    }
    let is_unknown_word = |words: &str| is_print(first) && words == "set print";
    if let Some((words, what)) = of_gdb.filter(|(words, _)| !is_unknown_word(words)) {
        return Err(arguments.fault(at, format!("{words:?} is not supported: {what}")));
    }
    if is_print(first) {
        let place = at + text.len() - rest.len();
        return Err(arguments.fault(place, unknown_print_word(second)));
    }
    let message = format!(
        "unknown setting {first:?} (\"show\" lists them); to assign, use set EXPRESSION = \
        EXPRESSION"
    );
    Err(arguments.fault(at, message))
}

/// True for a word that names no setting, such as `$i++`: gdb evaluates what `set` does not know.
fn is_no_setting(word: &str) -> bool {
    word.starts_with('$')
        || !word.chars().all(|c| c.is_alphanumeric() || matches!(c, '-' | '_' | '.' | '|' | '/' | ':'))
}

fn unknown_print_word(word: &str) -> String {
    let words = print_words(word).join(", ");
    match word {
        "" => format!("expected a setting for printing: {words}"),
        _ if print_words(word).len() < print_words("").len() => format!("{word:?} is ambiguous: {words}"),
        _ => format!("unknown setting for printing {word:?}; expected {words}"),
    }
}

/// True if there is an `=` that is not part of a comparison.
fn is_assignment(text: &str) -> bool {
    let bytes = text.as_bytes();
    bytes.iter().enumerate().any(|(i, &b)| {
        let before = i.checked_sub(1).and_then(|i| bytes.get(i)).copied().unwrap_or(b' ');
        let before_that = i.checked_sub(2).and_then(|i| bytes.get(i)).copied().unwrap_or(b' ');
        let compares = matches!(before, b'=' | b'!') || (matches!(before, b'<' | b'>') && before != before_that);
        b == b'=' && bytes.get(i + 1) != Some(&b'=') && !compares
    })
}

pub(in crate::command) fn with(arguments: &mut Arguments<'_>) -> Result<Command, LineError> {
    let at = arguments.place();
    let text = arguments.required_rest("SETTING [VALUE] -- COMMAND")?;
    let Some((setting, command)) = text.split_once(" -- ") else {
        return Err(arguments.fault(at + text.len(), "expected a command: with SETTING VALUE -- COMMAND"));
    };
    let mut of_set = Arguments { line: setting, at: 0, format: None };
    let moved = |error: LineError| LineError { position: error.position + at, ..error };
    let (name, value) = match set(&mut of_set).map_err(moved)? {
        Command::Debugger(DebuggerCommand::Set(name, value)) => (name, value),
        Command::Debugger(DebuggerCommand::Ignored(name, why)) => {
            return Err(arguments.fault(at, format!("{name:?} has no effect: {why}")));
        }
        _ => return Err(arguments.fault(at, "expected a setting, such as print pretty")),
    };
    let adds = find(&name).is_some_and(|variable| matches!(variable.sort, Sort::Directories | Sort::Substitutions));
    if adds {
        return Err(arguments.fault(at, format!("with cannot change {name}: use set")));
    }
    let command = command.trim_start();
    let begins = at + text.len() - command.len();
    check_beginning(command).map_err(|error| arguments.fault_within(begins, error.position, error.message))?;
    Ok(DebuggerCommand::With { name, value, line: command.to_owned() }.into())
}
