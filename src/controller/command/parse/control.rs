//! Arguments of the commands that make ranks go and stop.

use super::{count, location, nothing, number};
use crate::command::arguments::Arguments;
use crate::command::line_error::LineError;
use crate::command::{Command, WaitFor};
use crate::sets::parse_set;
use model::StepKind;

macro_rules! plain {
    ($($name:ident => $command:expr),* $(,)?) => {
        $(pub(in crate::command) fn $name(_: &mut Arguments<'_>) -> Result<Command, LineError> {
            nothing($command)
        })*
    };
}

plain! {
    halt => Command::Halt,
    finish => Command::Step(StepKind::Finish, 1),
    hold => Command::Hold(true),
    unhold => Command::Hold(false),
    kill => Command::Kill,
    restart => Command::Restart,
    detach => Command::Detach,
}

pub(in crate::command) fn go(arguments: &mut Arguments<'_>) -> Result<Command, LineError> {
    match arguments.word()? {
        None => Ok(Command::Go),
        Some(word) => Ok(Command::GoPast(number(arguments, &word, "a number of arrivals")?)),
    }
}

pub(in crate::command) fn step(arguments: &mut Arguments<'_>) -> Result<Command, LineError> {
    Ok(Command::Step(StepKind::Into, count(arguments)?))
}

pub(in crate::command) fn next(arguments: &mut Arguments<'_>) -> Result<Command, LineError> {
    Ok(Command::Step(StepKind::Over, count(arguments)?))
}

pub(in crate::command) fn step_instruction(arguments: &mut Arguments<'_>) -> Result<Command, LineError> {
    Ok(Command::Step(StepKind::Instruction, count(arguments)?))
}

pub(in crate::command) fn next_instruction(arguments: &mut Arguments<'_>) -> Result<Command, LineError> {
    Ok(Command::Step(StepKind::InstructionOver, count(arguments)?))
}

pub(in crate::command) fn until(arguments: &mut Arguments<'_>) -> Result<Command, LineError> {
    if arguments.rest().is_empty() {
        return Ok(Command::Step(StepKind::Onward, 1));
    }
    let at = arguments.place();
    let text = arguments.take_rest();
    Ok(Command::Until(location(arguments, text, at)?))
}

pub(in crate::command) fn advance(arguments: &mut Arguments<'_>) -> Result<Command, LineError> {
    let at = arguments.place();
    let text = arguments.required_rest("a location")?;
    Ok(Command::Advance(location(arguments, text, at)?))
}

pub(in crate::command) fn jump(arguments: &mut Arguments<'_>) -> Result<Command, LineError> {
    let at = arguments.place();
    let text = arguments.required_rest("a location")?;
    Ok(Command::Jump(location(arguments, text, at)?))
}

pub(in crate::command) fn leave(arguments: &mut Arguments<'_>) -> Result<Command, LineError> {
    let text = arguments.take_rest();
    Ok(Command::Return(Some(text.to_owned()).filter(|text| !text.is_empty())))
}

pub(in crate::command) fn wait(arguments: &mut Arguments<'_>) -> Result<Command, LineError> {
    let at = arguments.place();
    let text = arguments.take_rest();
    let (what, seconds) = match text.strip_prefix("for") {
        Some(rest) if rest.is_empty() || rest.starts_with(char::is_whitespace) => ("", Some(rest)),
        _ => match text.rsplit_once(" for") {
            Some((front, rest)) if rest.is_empty() || rest.starts_with(char::is_whitespace) => (front, Some(rest)),
            _ => (text, None),
        },
    };
    let limit = match seconds {
        None => None,
        Some(rest) => match rest.trim().parse::<f64>() {
            Ok(seconds) if seconds.is_finite() && (0.0..=1e7).contains(&seconds) => Some(seconds),
            _ => {
                let place = at + text.len() - rest.trim_start().len();
                return Err(arguments.fault(place, "a number of seconds is wanted after \"for\""));
            }
        },
    };
    let what = match what.trim() {
        "" | "stopped" => WaitFor::Stopped,
        "exited" => WaitFor::Exited,
        "any" => WaitFor::Any,
        set => WaitFor::Set(parse_set(set).map_err(|error| arguments.fault_within(at, error.position, error.message))?),
    };
    Ok(Command::Wait(what, limit))
}
