//! Arguments of the commands about signals.

use crate::command::arguments::{Arguments, Word};
use crate::command::line_error::LineError;
use crate::command::{Command, SignalCommand};
use model::{SignalName, SignalTable};

/// Signals that the debugger itself uses; `all` leaves them out, as in gdb.
const OURS: [&str; 2] = ["SIGTRAP", "SIGINT"];

pub(in crate::command) fn signals(arguments: &mut Arguments<'_>) -> Result<Command, LineError> {
    let Some(word) = arguments.word()? else { return Ok(SignalCommand::Signals(None).into()) };
    match SignalName::parse(&word.text) {
        Some(name) => Ok(SignalCommand::Signals(Some(name)).into()),
        None => Err(no_signal(arguments, &word)),
    }
}

pub(in crate::command) fn signal(arguments: &mut Arguments<'_>) -> Result<Command, LineError> {
    signal_or_none(arguments).map(|name| SignalCommand::Signal(name).into())
}

pub(in crate::command) fn queue(arguments: &mut Arguments<'_>) -> Result<Command, LineError> {
    signal_or_none(arguments).map(|name| SignalCommand::Queue(name).into())
}

fn signal_or_none(arguments: &mut Arguments<'_>) -> Result<Option<SignalName>, LineError> {
    let word = arguments.required("a signal, or 0 for none")?;
    match SignalName::parse(&word.text) {
        _ if word.text == "0" => Ok(None),
        Some(name) => Ok(Some(name)),
        None => Err(no_signal(arguments, &word)),
    }
}

pub(in crate::command) fn handle(arguments: &mut Arguments<'_>) -> Result<Command, LineError> {
    let (mut names, mut stop, mut print, mut pass) = (Vec::new(), None, None, None);
    let first = arguments.required("a signal")?;
    let mut next = Some(first);
    while let Some(word) = next {
        match word.text.as_str() {
            "stop" => stop = Some(true),
            "nostop" => stop = Some(false),
            "print" => print = Some(true),
            "noprint" => print = Some(false),
            "pass" | "noignore" => pass = Some(true),
            "nopass" | "ignore" => pass = Some(false),
            text => match named(text) {
                Some(found) => {
                    for name in found {
                        if !names.contains(&name) {
                            names.push(name);
                        }
                    }
                }
                None if names.is_empty() => return Err(no_signal(arguments, &word)),
                None => {
                    let wanted = "expected stop, nostop, print, noprint, pass or nopass";
                    return Err(arguments.fault(word.at, format!("{wanted}, not {text:?}")));
                }
            },
        }
        next = arguments.word()?;
    }
    if names.is_empty() {
        return Err(arguments.fault(arguments.place(), "expected a signal"));
    }
    if stop.is_none() && print.is_none() && pass.is_none() {
        let wanted = "expected an action: stop, nostop, print, noprint, pass or nopass";
        return Err(arguments.fault(arguments.place(), wanted));
    }
    Ok(SignalCommand::Handle { names, stop, print, pass }.into())
}

/// Parses a signal, a range of numbers, or `all`.
fn named(text: &str) -> Option<Vec<SignalName>> {
    if text == "all" {
        let rows = SignalTable::default();
        let names = rows.rows().iter().map(|row| row.name.clone());
        return Some(names.filter(|name| !OURS.contains(&&*name.0)).collect());
    }
    if let Some((low, high)) = text.split_once('-')
        && let (Ok(low), Ok(high)) = (low.parse::<i32>(), high.parse::<i32>())
    {
        return ((1..=high).contains(&low) && high <= 64).then(|| (low..=high).map(SignalName::from_number).collect());
    }
    SignalName::parse(text).map(|name| vec![name])
}

fn no_signal(arguments: &Arguments<'_>, word: &Word) -> LineError {
    arguments.fault(word.at, format!("unknown signal {:?}; \"signals\" lists them", word.text))
}
