//! Arguments of the breakpoint commands.

use super::breakpoint_ids::{NUMBER, id, ids};
use super::data::displays;
use super::scripts::format_and_values;
use super::{location, number};
use crate::command::arguments::Arguments;
use crate::command::line_error::LineError;
use crate::command::print_format::split_at_commas;
use crate::command::{BreakpointCommand, Command, Countdown, DebuggerCommand, When};
use model::{Catch, LocationSpec, PrinterChoice, SymbolKind, SymbolQuery, ThreadId, Watch, WatchAccess};

/// The largest number of functions at which `rbreak` sets breakpoints if none is given.
const USUAL_FUNCTIONS: u32 = 200;
/// The largest number that may be given: each is a request to the ranks.
const MOST_FUNCTIONS: u32 = 2000;

pub(in crate::command) fn set(arguments: &mut Arguments<'_>) -> Result<Command, LineError> {
    any(arguments, false, false)
}

pub(in crate::command) fn set_temporary(arguments: &mut Arguments<'_>) -> Result<Command, LineError> {
    any(arguments, true, false)
}

pub(in crate::command) fn set_hardware(arguments: &mut Arguments<'_>) -> Result<Command, LineError> {
    any(arguments, false, true)
}

pub(in crate::command) fn set_hardware_temporary(arguments: &mut Arguments<'_>) -> Result<Command, LineError> {
    any(arguments, true, true)
}

pub(in crate::command) fn clear(arguments: &mut Arguments<'_>) -> Result<Command, LineError> {
    let at = arguments.place();
    let text = arguments.take_rest();
    Ok(BreakpointCommand::Clear(if text.is_empty() { None } else { Some(location(arguments, text, at)?) }).into())
}

pub(in crate::command) fn barrier(arguments: &mut Arguments<'_>) -> Result<Command, LineError> {
    let (place, when) = place_and_conditions(arguments)?;
    Ok(BreakpointCommand::Barrier(place, when).into())
}

fn any(arguments: &mut Arguments<'_>, temporary: bool, hardware: bool) -> Result<Command, LineError> {
    let (location, when) = place_and_conditions(arguments)?;
    Ok(BreakpointCommand::Break { location, temporary, hardware, when }.into())
}

fn place_and_conditions(arguments: &mut Arguments<'_>) -> Result<(Option<LocationSpec>, When), LineError> {
    let at = arguments.place();
    let (text, when) = with_conditions(arguments)?;
    let place = if text.is_empty() { None } else { Some(location(arguments, text, at)?) };
    Ok((place, when))
}

/// Parses `[-limit N] [FILE:]REGEX`.
pub(in crate::command) fn each_function(arguments: &mut Arguments<'_>) -> Result<Command, LineError> {
    let mut query = SymbolQuery::all(SymbolKind::Functions, USUAL_FUNCTIONS);
    let before = *arguments;
    if arguments.word()?.is_some_and(|word| word.text == "-limit") {
        let word = arguments.required("a number of functions")?;
        query.limit = match word.text.parse() {
            Ok(n) if (1..=MOST_FUNCTIONS).contains(&n) => n,
            _ => {
                let message = format!("expected a number of functions from 1 to {MOST_FUNCTIONS}");
                return Err(arguments.fault(word.at, message));
            }
        };
    } else {
        *arguments = before;
    }
    let mut at = arguments.place();
    let mut pattern = arguments.required_rest("a regular expression for names of functions")?;
    // As in gdb, the first colon ends a file unless another follows.
    if let Some((file, rest)) = pattern.split_once(':').filter(|(_, rest)| !rest.starts_with(':')) {
        query.file = Some(file.trim().to_owned());
        at += pattern.len() - rest.trim_start().len();
        pattern = rest.trim_start();
    }
    model::RegularExpression::parse(pattern, false)
        .map_err(|error| arguments.fault_within(at, error.position, error.to_string()))?;
    query.name = Some(pattern.to_owned()).filter(|pattern| !pattern.is_empty());
    Ok(BreakpointCommand::EachFunction(Box::new(query)).into())
}

pub(in crate::command) fn watch(arguments: &mut Arguments<'_>) -> Result<Command, LineError> {
    watched(arguments, WatchAccess::Change)
}

pub(in crate::command) fn watch_reads(arguments: &mut Arguments<'_>) -> Result<Command, LineError> {
    watched(arguments, WatchAccess::Read)
}

pub(in crate::command) fn watch_all(arguments: &mut Arguments<'_>) -> Result<Command, LineError> {
    watched(arguments, WatchAccess::Any)
}

fn watched(arguments: &mut Arguments<'_>, access: WatchAccess) -> Result<Command, LineError> {
    let at = arguments.place();
    let (text, when) = with_conditions(arguments)?;
    if text.is_empty() {
        return Err(arguments.fault(at, "expected an expression to watch"));
    }
    Ok(BreakpointCommand::Watch { access, expression: Watch::normalised(text), when }.into())
}

pub(in crate::command) fn catch(arguments: &mut Arguments<'_>) -> Result<Command, LineError> {
    event(arguments, false)
}

pub(in crate::command) fn catch_once(arguments: &mut Arguments<'_>) -> Result<Command, LineError> {
    event(arguments, true)
}

fn event(arguments: &mut Arguments<'_>, temporary: bool) -> Result<Command, LineError> {
    let at = arguments.place();
    let (text, when) = with_conditions(arguments)?;
    match Catch::parse(text) {
        Ok(event) => Ok(BreakpointCommand::Catch { event, temporary, when }.into()),
        Err(error) => Err(arguments.fault_within(at, error.position, error.message)),
    }
}

pub(in crate::command) fn trace(arguments: &mut Arguments<'_>) -> Result<Command, LineError> {
    let at = arguments.place();
    let (text, when) = with_conditions(arguments)?;
    let mut parts = split_at_commas(text).into_iter();
    let place = parts.next().unwrap_or("").trim();
    let expressions: Vec<String> = parts.map(|part| part.trim().to_owned()).collect();
    if expressions.is_empty() || expressions.iter().any(String::is_empty) {
        let message = "expected an expression: trace LOCATION, EXPRESSION, …";
        return Err(arguments.fault(at + text.len(), message));
    }
    let location = if place.is_empty() { None } else { Some(location(arguments, place, at)?) };
    Ok(BreakpointCommand::Trace { location, expressions, when }.into())
}

pub(in crate::command) fn print_at(arguments: &mut Arguments<'_>) -> Result<Command, LineError> {
    let at = arguments.place();
    let (text, when) = with_conditions(arguments)?;
    let place = split_at_commas(text).first().copied().unwrap_or("");
    let Some(rest) = text.get(place.len() + 1..) else {
        return Err(arguments.fault(at + text.len(), "expected a format: dprintf LOCATION, \"FORMAT\", EXPRESSION, …"));
    };
    let begin = at + text.len() - rest.trim_start().len();
    let (format, expressions) = format_and_values(arguments, rest.trim_start(), begin)?;
    let place = place.trim();
    let location = if place.is_empty() { None } else { Some(location(arguments, place, at)?) };
    Ok(BreakpointCommand::PrintAt { location, format, expressions, when }.into())
}

/// Returns the arguments without `thread N`, `if EXPRESSION` and `after N`, and those apart.
fn with_conditions<'a>(arguments: &mut Arguments<'a>) -> Result<(&'a str, When), LineError> {
    let at = arguments.place();
    let text = arguments.take_rest();
    let (text, ignore) = trailing_number(text, "after");
    // gdb takes the thread on either side of the condition.
    let (text, thread) = trailing_number(text, "thread");
    let (text, condition) = match find_word(text, "if") {
        Some(place) => {
            let condition = text.get(place + 2..).unwrap_or("").trim();
            if condition.is_empty() {
                return Err(arguments.fault(at + text.len(), "expected an expression after \"if\""));
            }
            (text.get(..place).unwrap_or("").trim_end(), Some(condition.to_owned()))
        }
        None => (text, None),
    };
    let (text, before) = trailing_number(text, "thread");
    if thread.is_some() && before.is_some() {
        return Err(arguments.fault(at, "expected one thread, not two"));
    }
    let thread = thread.or(before).map(|n| ThreadId(n as u32));
    Ok((text, When { condition, ignore: ignore.unwrap_or(0), thread }))
}

/// Splits a word and a number off the end of the text.
fn trailing_number<'a>(text: &'a str, word: &str) -> (&'a str, Option<u64>) {
    let split = || {
        let (front, digits) = text.rsplit_once(char::is_whitespace).or(Some(("", text)))?;
        let value = digits.parse().ok()?;
        let front = front.trim_end().strip_suffix(word)?;
        (front.is_empty() || front.ends_with(char::is_whitespace)).then(|| (front.trim_end(), value))
    };
    split().map_or((text, None), |(front, value)| (front, Some(value)))
}

/// Returns the byte at which a word stands by itself, outside quotes.
fn find_word(text: &str, word: &str) -> Option<usize> {
    let mut quote = None;
    for (at, c) in text.char_indices() {
        let before = text.get(..at)?;
        match quote {
            Some(open) if c == open => quote = None,
            Some(_) => continue,
            None if c == '"' => quote = Some(c),
            // Otherwise the quote belongs to a lifetime.
            None if c == '\'' && (before.is_empty() || before.ends_with([' ', '\t', ':'])) => {
                quote = text.get(at + 1..).filter(|rest| rest.contains(c)).map(|_| c);
            }
            None => {}
        }
        let after = text.get(at..)?.strip_prefix(word);
        let alone = (before.is_empty() || before.ends_with(char::is_whitespace))
            && after.is_some_and(|rest| rest.is_empty() || rest.starts_with([' ', '\t', '(']));
        if alone && quote.is_none() {
            return Some(at);
        }
    }
    None
}

pub(in crate::command) fn list(arguments: &mut Arguments<'_>) -> Result<Command, LineError> {
    Ok(BreakpointCommand::Breakpoints { ids: ids(arguments)?, watches: false }.into())
}

pub(in crate::command) fn list_watchpoints(arguments: &mut Arguments<'_>) -> Result<Command, LineError> {
    Ok(BreakpointCommand::Breakpoints { ids: ids(arguments)?, watches: true }.into())
}

pub(in crate::command) fn delete(arguments: &mut Arguments<'_>) -> Result<Command, LineError> {
    Ok(BreakpointCommand::Delete(ids(arguments)?).into())
}

/// Takes `pretty-printer [REGEX [REGEX]]`; `None` if something else is enabled.
fn printers(arguments: &mut Arguments<'_>, enabled: bool) -> Result<Option<Command>, LineError> {
    let mut ahead = *arguments;
    if ahead.word()?.is_none_or(|word| word.text != "pretty-printer") {
        return Ok(None);
    }
    *arguments = ahead;
    let at = arguments.place();
    let first = arguments.word()?.map(|word| word.text);
    let second = arguments.word()?.map(|word| word.text);
    PrinterChoice::parse(first.as_deref(), second.as_deref()).map_err(|why| arguments.fault(at, why))?;
    Ok(Some(DebuggerCommand::EnablePrinters(enabled, first, second).into()))
}

pub(in crate::command) fn enable(arguments: &mut Arguments<'_>) -> Result<Command, LineError> {
    if let Some(command) = printers(arguments, true)?.or(displays(arguments, true)?) {
        return Ok(command);
    }
    let before = *arguments;
    let countdown = match arguments.word()?.map(|word| word.text).as_deref() {
        Some("once") => Countdown::Disable(1),
        Some("count") => {
            let word = arguments.required("a number of stops")?;
            match number(arguments, &word, "a number of stops")? {
                0 => return Err(arguments.fault(word.at, "expected a number from 1")),
                stops => Countdown::Disable(stops),
            }
        }
        Some("delete") => Countdown::Delete,
        _ => {
            *arguments = before;
            return Ok(BreakpointCommand::Enable(ids(arguments)?, true).into());
        }
    };
    Ok(BreakpointCommand::EnableFor(ids(arguments)?, countdown).into())
}

pub(in crate::command) fn disable(arguments: &mut Arguments<'_>) -> Result<Command, LineError> {
    if let Some(command) = printers(arguments, false)?.or(displays(arguments, false)?) {
        return Ok(command);
    }
    Ok(BreakpointCommand::Enable(ids(arguments)?, false).into())
}

pub(in crate::command) fn condition(arguments: &mut Arguments<'_>) -> Result<Command, LineError> {
    let word = arguments.required(NUMBER)?;
    let id = id(arguments, &word)?;
    let expression = arguments.take_rest();
    Ok(BreakpointCommand::Condition(id, Some(expression.to_owned()).filter(|text| !text.is_empty())).into())
}

pub(in crate::command) fn after(arguments: &mut Arguments<'_>) -> Result<Command, LineError> {
    let word = arguments.required(NUMBER)?;
    let id = id(arguments, &word)?;
    let word = arguments.required("the number of hits to ignore")?;
    Ok(BreakpointCommand::After(id, number(arguments, &word, "a number of hits")?).into())
}
