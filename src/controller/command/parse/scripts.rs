//! Arguments of the commands of scripts.

use super::breakpoint_ids::ids;
use super::nothing;
use crate::command::arguments::Arguments;
use crate::command::condition::Condition;
use crate::command::line_error::LineError;
use crate::command::print_format::{PrintFormat, split_at_commas};
use crate::command::{Command, DataCommand, Occasion, ScriptCommand};

macro_rules! plain {
    ($($name:ident => $command:expr),* $(,)?) => {
        $(pub(in crate::command) fn $name(_: &mut Arguments<'_>) -> Result<Command, LineError> {
            nothing($command.into())
        })*
    };
}

plain! {
    otherwise => ScriptCommand::Else,
    end => ScriptCommand::End,
    loop_break => ScriptCommand::Break,
    loop_continue => ScriptCommand::Continue,
    silent => ScriptCommand::Silent,
    dont_repeat => ScriptCommand::DontRepeat,
}

fn condition(arguments: &mut Arguments<'_>) -> Result<Condition, LineError> {
    let at = arguments.place();
    let text = arguments.take_rest();
    Condition::parse(text).map_err(|error| arguments.fault(at + error.at, error.message))
}

pub(in crate::command) fn if_(arguments: &mut Arguments<'_>) -> Result<Command, LineError> {
    Ok(ScriptCommand::If(condition(arguments)?).into())
}

pub(in crate::command) fn while_(arguments: &mut Arguments<'_>) -> Result<Command, LineError> {
    Ok(ScriptCommand::While(condition(arguments)?).into())
}

pub(in crate::command) fn commands(arguments: &mut Arguments<'_>) -> Result<Command, LineError> {
    Ok(ScriptCommand::Commands(ids(arguments)?).into())
}

/// Takes the name of a command that the user defines.
fn defined_name(arguments: &mut Arguments<'_>) -> Result<String, LineError> {
    let word = arguments.required("the name of a command")?;
    let is_name = |c: char| c.is_alphanumeric() || c == '_' || c == '-';
    if !word.text.starts_with(char::is_alphabetic) || !word.text.chars().all(is_name) {
        let message = format!("{:?} cannot name a command: expected letters, digits, \"_\" or \"-\"", word.text);
        return Err(arguments.fault(word.at, message));
    }
    Ok(word.text)
}

pub(in crate::command) fn define(arguments: &mut Arguments<'_>) -> Result<Command, LineError> {
    Ok(ScriptCommand::Define(defined_name(arguments)?).into())
}

pub(in crate::command) fn document(arguments: &mut Arguments<'_>) -> Result<Command, LineError> {
    Ok(ScriptCommand::Document(defined_name(arguments)?).into())
}

/// Parses `"FORMAT", EXPRESSION, …` at a byte of the line.
pub(super) fn format_and_values(
    arguments: &Arguments<'_>,
    text: &str,
    at: usize,
) -> Result<(PrintFormat, Vec<String>), LineError> {
    let (format, end) =
        PrintFormat::parse_quoted(text).map_err(|error| arguments.fault(at + error.at, error.message))?;
    let rest = text.get(end..).unwrap_or("").trim_start();
    let begin = at + text.len() - rest.len();
    let values: Vec<String> = match rest.strip_prefix(',') {
        None if rest.is_empty() => Vec::new(),
        None => return Err(arguments.fault(begin, "expected \",\" after the format")),
        Some(values) => split_at_commas(values).into_iter().map(|value| value.trim().to_owned()).collect(),
    };
    if values.iter().any(String::is_empty) {
        return Err(arguments.fault(at + text.len(), "expected an expression after \",\""));
    }
    if values.len() != format.fields() {
        let (conversions, given) = (format.fields(), values.len());
        let message = format!("the number of values, {given}, is not that of the format's conversions, {conversions}");
        return Err(arguments.fault(at, message));
    }
    Ok((format, values))
}

pub(in crate::command) fn printf(arguments: &mut Arguments<'_>) -> Result<Command, LineError> {
    let at = arguments.place();
    let text = arguments.required_rest("a format in double quotes")?;
    let (format, values) = format_and_values(arguments, text, at)?;
    Ok(ScriptCommand::Printf(format, values).into())
}

/// Resolves the escapes of `echo`. As in gdb, a backslash at the end suppresses blanks there, and other characters
/// after one stand for themselves.
pub(in crate::command) fn echo(arguments: &mut Arguments<'_>) -> Result<Command, LineError> {
    let mut text = String::new();
    let mut rest = arguments.take_rest().chars();
    while let Some(c) = rest.next() {
        match c {
            '\\' => match rest.next() {
                Some('n') => text.push('\n'),
                Some('t') => text.push('\t'),
                Some(other) => text.push(other),
                None => {}
            },
            c => text.push(c),
        }
    }
    Ok(ScriptCommand::Echo(text).into())
}

pub(in crate::command) fn eval(arguments: &mut Arguments<'_>) -> Result<Command, LineError> {
    let at = arguments.place();
    let text = arguments.required_rest("a format in double quotes")?;
    let (format, values) = format_and_values(arguments, text, at)?;
    Ok(ScriptCommand::Eval(format, values).into())
}

/// Takes `$NAME = EXPRESSION`, an assignment that is made only to a variable without a value.
pub(in crate::command) fn init_if_undefined(arguments: &mut Arguments<'_>) -> Result<Command, LineError> {
    let at = arguments.place();
    let text = arguments.required_rest("$NAME = EXPRESSION")?;
    let assignment = text.split_once('=').map(|(name, value)| (name.trim(), value.trim()));
    let is_name = |name: &str| {
        let rest = name.strip_prefix('$').unwrap_or_default();
        rest.starts_with(|c: char| c.is_alphabetic() || c == '_')
            && rest.chars().all(|c| c.is_alphanumeric() || c == '_')
    };
    match assignment {
        Some((name, value)) if is_name(name) && !value.is_empty() && !value.starts_with('=') => {
            Ok(DataCommand::Assign(format!("$_isvoid({name}) ? ({name} = {value}) : 0")).into())
        }
        _ => Err(arguments.fault(at, "expected a convenience variable and its value: $NAME = EXPRESSION")),
    }
}

pub(in crate::command) fn complete(arguments: &mut Arguments<'_>) -> Result<Command, LineError> {
    Ok(ScriptCommand::CompleteLine(arguments.take_rest().to_owned()).into())
}

pub(in crate::command) fn on(arguments: &mut Arguments<'_>) -> Result<Command, LineError> {
    let Some(word) = arguments.word()? else { return nothing(ScriptCommand::Occasions.into()) };
    let Some(occasion) = Occasion::ALL.into_iter().find(|occasion| occasion.word() == word.text) else {
        return Err(arguments.fault(word.at, format!("expected stop or exit, not {:?}", word.text)));
    };
    let command = arguments.required_rest("a command, or \"off\"")?;
    Ok(ScriptCommand::On(occasion, Some(command.to_owned()).filter(|command| command != "off")).into())
}
