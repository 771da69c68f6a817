//! Arguments of the commands about sets, signals and the session.

use super::print_value::print;
use super::settings::is_print;
use super::{logging, nothing, program_start};
use crate::command::arguments::Arguments;
use crate::command::fixed_settings::find_fixed;
use crate::command::ignored::{ignored, ignored_file};
use crate::command::line::check_beginning;
use crate::command::line_error::LineError;
use crate::command::unsupported::instead;
use crate::command::variable_table::{PRINT, SUBSTITUTE_PATH, find, find_other, find_print};
use crate::command::{Command, DataCommand, DebuggerCommand, ScriptCommand, SetCommand};
use crate::sets::{PREDICATES, SetExpr, parse_prefix, parse_scope, parse_set};

macro_rules! plain {
    ($($name:ident => $command:expr),* $(,)?) => {
        $(pub(in crate::command) fn $name(_: &mut Arguments<'_>) -> Result<Command, LineError> {
            nothing($command)
        })*
    };
}

plain! {
    groups => SetCommand::Groups.into(),
    status => SetCommand::Status.into(),
    quit => DebuggerCommand::Quit.into(),
}

pub(in crate::command) fn focus(arguments: &mut Arguments<'_>) -> Result<Command, LineError> {
    let at = arguments.place();
    let text = arguments.take_rest();
    if text.is_empty() {
        return Ok(SetCommand::Focus(None).into());
    }
    let scope = parse_scope(text).map_err(|error| arguments.fault_within(at, error.position, error.message))?;
    Ok(SetCommand::Focus(Some(scope)).into())
}

fn set_rest(arguments: &mut Arguments<'_>) -> Result<SetExpr, LineError> {
    let at = arguments.place();
    let text = arguments.required_rest("a set")?;
    parse_set(text).map_err(|error| arguments.fault_within(at, error.position, error.message))
}

/// Takes a new name and the `=` after it.
fn new_name(arguments: &mut Arguments<'_>, what: &str) -> Result<String, LineError> {
    let at = arguments.place();
    let rest = arguments.rest();
    let length = rest.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(rest.len());
    let name = rest.get(..length).unwrap_or("").to_owned();
    if !name.starts_with(|c: char| c.is_alphabetic() || c == '_') {
        return Err(arguments.fault(at, format!("expected the name of {what}, starting with a letter")));
    }
    let after = rest.get(length..).unwrap_or("");
    let Some(text) = after.trim_start().strip_prefix('=') else {
        return Err(arguments.fault(at + length, "expected \"=\" after the name"));
    };
    arguments.skip_to(at + rest.len() - text.len());
    Ok(name)
}

pub(in crate::command) fn group(arguments: &mut Arguments<'_>) -> Result<Command, LineError> {
    let at = arguments.place();
    let name = new_name(arguments, "a set")?;
    if PREDICATES.contains(&name.as_str()) {
        return Err(arguments.fault(at, format!("{name:?} is a predicate and cannot name a group")));
    }
    Ok(SetCommand::Group(name, set_rest(arguments)?).into())
}

pub(in crate::command) fn ungroup(arguments: &mut Arguments<'_>) -> Result<Command, LineError> {
    Ok(SetCommand::Ungroup(arguments.required("a group name")?.text).into())
}

pub(in crate::command) fn output(arguments: &mut Arguments<'_>) -> Result<Command, LineError> {
    let text = arguments.rest().to_owned();
    if arguments.format.is_none() && !text.is_empty() {
        match parse_set(&text) {
            Ok(set) => {
                arguments.take_rest();
                return Ok(DebuggerCommand::Output(set, text).into());
            }
            // A list of ranks with a fault in it is no expression.
            Err(_) if text.starts_with(|c: char| c.is_ascii_digit()) && text.contains([',', ':']) => {
                return set_rest(arguments).map(|set| DebuggerCommand::Output(set, text).into());
            }
            Err(_) => {}
        }
    }
    match print(arguments)? {
        Command::Data(DataCommand::Print(form, expression)) => Ok(ScriptCommand::OutputValue(form, expression).into()),
        other => Ok(other),
    }
}

pub(in crate::command) fn log(arguments: &mut Arguments<'_>) -> Result<Command, LineError> {
    let word = arguments.required("a file name or \"off\"")?;
    Ok(DebuggerCommand::Log(Some(word.text).filter(|text| text != "off")).into())
}

pub(in crate::command) fn report(arguments: &mut Arguments<'_>) -> Result<Command, LineError> {
    Ok(DebuggerCommand::Report(arguments.word()?.map(|word| word.text)).into())
}

pub(in crate::command) fn source(arguments: &mut Arguments<'_>) -> Result<Command, LineError> {
    let mut path = arguments.word()?.map(|word| word.text);
    // gdb's flags: to search for the file, and to show its lines.
    while path.as_deref().is_some_and(|path| matches!(path, "-s" | "-v")) {
        path = Some(arguments.required("a file")?.text);
    }
    if let Some((path, why)) = path.as_deref().and_then(|path| Some((path, ignored_file(path)?))) {
        return Ok(DebuggerCommand::Ignored(format!("source {path}"), why).into());
    }
    Ok(DebuggerCommand::Source(path).into())
}

/// `info pretty-printer` lists printers, `printers FILE` loads some.
pub(in crate::command) fn printers(arguments: &mut Arguments<'_>) -> Result<Command, LineError> {
    let lists = arguments.line.get(..arguments.place()).is_some_and(|before| before.contains("info"));
    let word = arguments.word()?.map(|word| word.text);
    Ok(match word {
        Some(path) if !lists => DebuggerCommand::LoadPrinters(path).into(),
        containing => DebuggerCommand::ListPrinters(containing).into(),
    })
}

pub(in crate::command) fn alias(arguments: &mut Arguments<'_>) -> Result<Command, LineError> {
    if arguments.rest().is_empty() {
        return Ok(DebuggerCommand::Alias(None).into());
    }
    let name = new_name(arguments, "an alias")?;
    let at = arguments.place();
    let text = arguments.required_rest("the text of the alias")?;
    check_beginning(text).map_err(|error| arguments.fault_within(at, error.position, error.message))?;
    Ok(DebuggerCommand::Alias(Some((name, text.to_owned()))).into())
}

pub(in crate::command) fn show(arguments: &mut Arguments<'_>) -> Result<Command, LineError> {
    if let Some(command) = program_start::show(arguments)? {
        return Ok(command);
    }
    let Some(word) = arguments.word()? else { return Ok(DebuggerCommand::Show(None).into()) };
    match word.text.as_str() {
        "logging" => return Ok(logging::show(arguments)),
        // gdb's name of a setting.
        "listsize" => return Ok(DebuggerCommand::Show(Some("list-size".to_owned())).into()),
        "exec-wrapper" => return Ok(DebuggerCommand::ShowAsItIs("exec-wrapper", "none").into()),
        "version" => return Ok(DebuggerCommand::ShowVersion.into()),
        "user" => {
            let name = arguments.word()?.map(|word| word.text);
            return Ok(ScriptCommand::ListDefinitions(name).into());
        }
        _ => {}
    }
    if find(&word.text).is_none() {
        let rest = arguments.take_rest();
        if is_print(&word.text) {
            if rest.is_empty() {
                return Ok(DebuggerCommand::Show(Some(PRINT.to_owned())).into());
            }
            if let Some(known) = find_print(rest) {
                return Ok(DebuggerCommand::Show(Some(known.name.to_owned())).into());
            }
        }
        if let Some(known) = find(&format!("{}-{rest}", word.text)).or_else(|| find_other(&word.text, rest)) {
            return Ok(DebuggerCommand::Show(Some(known.name.to_owned())).into());
        }
        if let Some((fixed, "")) = find_fixed(&format!("{} {rest}", word.text)) {
            return Ok(DebuggerCommand::ShowAsItIs(fixed.name, fixed.value).into());
        }
        if let Some((_, why)) = ignored(&format!("set {} {rest}", word.text)) {
            return Ok(DebuggerCommand::Ignored(format!("show {} {rest}", word.text).trim_end().to_owned(), why).into());
        }
        if let Some((words, what)) = instead(&format!("show {}", word.text)) {
            return Err(arguments.fault(word.at, format!("{words:?} is not supported: {what}")));
        }
        return Err(arguments.fault(word.at, format!("unknown setting {:?}; \"show\" lists them", word.text)));
    }
    Ok(DebuggerCommand::Show(Some(word.text)).into())
}

pub(in crate::command) fn shell(arguments: &mut Arguments<'_>) -> Result<Command, LineError> {
    let line = arguments.required_rest("a command of the shell: shell COMMAND")?;
    Ok(DebuggerCommand::Shell(line.to_owned()).into())
}

pub(in crate::command) fn make(arguments: &mut Arguments<'_>) -> Result<Command, LineError> {
    let line = format!("make {}", arguments.take_rest());
    Ok(DebuggerCommand::Shell(line.trim_end().to_owned()).into())
}

/// Takes `[-d DELIMITER] COMMAND | SHELL`.
pub(in crate::command) fn pipe(arguments: &mut Arguments<'_>) -> Result<Command, LineError> {
    let mut ahead = *arguments;
    let mut delimiter = "|".to_owned();
    if ahead.word()?.is_some_and(|word| word.text == "-d") {
        delimiter = ahead.required("a delimiter")?.text;
        *arguments = ahead;
    }
    let at = arguments.place();
    let rest = arguments.take_rest();
    // The set in front may have the delimiter.
    let set = if rest.starts_with('[') { parse_prefix(rest).map_or(0, |(_, length)| length) } else { 0 };
    let found = rest.get(set..).and_then(|after| after.find(&delimiter)).map(|found| set + found);
    let parts = found.and_then(|found| Some((rest.get(..found)?.trim(), rest.get(found + delimiter.len()..)?.trim())));
    match parts {
        Some((line, shell)) if !line.is_empty() && !shell.is_empty() => {
            Ok(DebuggerCommand::Pipe { line: line.to_owned(), shell: shell.to_owned() }.into())
        }
        _ => Err(arguments.fault(at + rest.len(), format!("expected two commands: pipe COMMAND {delimiter} SHELL"))),
    }
}

pub(in crate::command) fn directory(arguments: &mut Arguments<'_>) -> Result<Command, LineError> {
    Ok(DebuggerCommand::SearchSources(arguments.take_rest().to_owned()).into())
}

pub(in crate::command) fn unset(arguments: &mut Arguments<'_>) -> Result<Command, LineError> {
    let mut ahead = *arguments;
    if ahead.word()?.is_some_and(|word| word.text == "exec-wrapper") {
        *arguments = ahead;
        let words = "the program is started without a wrapper";
        return Ok(DebuggerCommand::SetAsItIs("exec-wrapper", "none", words).into());
    }
    ahead = *arguments;
    let is_rule = ahead.word()?.is_some_and(|word| word.text == SUBSTITUTE_PATH);
    if !is_rule {
        return program_start::unset(arguments);
    }
    *arguments = ahead;
    Ok(DebuggerCommand::KeepSourcePath(arguments.word()?.map(|word| word.text)).into())
}

pub(in crate::command) fn help(arguments: &mut Arguments<'_>) -> Result<Command, LineError> {
    let topic = Some(arguments.take_rest().to_owned()).filter(|text| !text.is_empty());
    Ok(DebuggerCommand::Help(topic).into())
}

pub(in crate::command) fn apropos(arguments: &mut Arguments<'_>) -> Result<Command, LineError> {
    let before = *arguments;
    let whole = arguments.word()?.is_some_and(|word| word.text == "-v");
    if !whole {
        *arguments = before;
    }
    let at = arguments.place();
    let pattern = arguments.required_rest("a word, or a regular expression, to search for")?;
    model::RegularExpression::parse(pattern, true)
        .map_err(|error| arguments.fault_within(at, error.position, error.to_string()))?;
    Ok(DebuggerCommand::Apropos(pattern.to_owned(), whole).into())
}
