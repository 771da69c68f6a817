//! Parses the arguments of the commands that continue and stop ranks.

use super::{count, location, nothing, number};
use crate::command::arguments::Arguments;
use crate::command::line_error::LineError;
use crate::command::{Command, RunCommand, WaitFor};
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
    halt => RunCommand::Halt.into(),
    finish => RunCommand::Step(StepKind::Finish, 1).into(),
    hold => RunCommand::Hold(true).into(),
    unhold => RunCommand::Hold(false).into(),
    kill => RunCommand::Kill.into(),
    detach => RunCommand::Detach.into(),
}

pub(in crate::command) fn go(arguments: &mut Arguments<'_>) -> Result<Command, LineError> {
    Ok(RunCommand::Go { past: hits(arguments)?, waits: false }.into())
}

pub(in crate::command) fn continue_(arguments: &mut Arguments<'_>) -> Result<Command, LineError> {
    let mut ahead = *arguments;
    let past = ahead.word()?.is_some_and(|word| word.text != "&").then(|| hits(arguments)).transpose()?.flatten();
    let mut ahead = *arguments;
    // In the background: the next line of a script does not wait.
    let waits = ahead.word()?.is_none_or(|word| word.text != "&");
    if !waits {
        *arguments = ahead;
    }
    Ok(RunCommand::Go { past, waits }.into())
}

fn hits(arguments: &mut Arguments<'_>) -> Result<Option<u64>, LineError> {
    let word = arguments.word()?;
    word.map(|word| number(arguments, &word, "a number of hits")).transpose()
}

pub(in crate::command) fn step(arguments: &mut Arguments<'_>) -> Result<Command, LineError> {
    Ok(RunCommand::Step(StepKind::Into, count(arguments)?).into())
}

pub(in crate::command) fn next(arguments: &mut Arguments<'_>) -> Result<Command, LineError> {
    Ok(RunCommand::Step(StepKind::Over, count(arguments)?).into())
}

pub(in crate::command) fn step_instruction(arguments: &mut Arguments<'_>) -> Result<Command, LineError> {
    Ok(RunCommand::Step(StepKind::Instruction, count(arguments)?).into())
}

pub(in crate::command) fn next_instruction(arguments: &mut Arguments<'_>) -> Result<Command, LineError> {
    Ok(RunCommand::Step(StepKind::InstructionOver, count(arguments)?).into())
}

pub(in crate::command) fn until(arguments: &mut Arguments<'_>) -> Result<Command, LineError> {
    if arguments.rest().is_empty() {
        return Ok(RunCommand::Step(StepKind::Onward, 1).into());
    }
    let at = arguments.place();
    let text = arguments.take_rest();
    Ok(RunCommand::Until(location(arguments, text, at)?).into())
}

pub(in crate::command) fn advance(arguments: &mut Arguments<'_>) -> Result<Command, LineError> {
    let at = arguments.place();
    let text = arguments.required_rest("a location")?;
    Ok(RunCommand::Advance(location(arguments, text, at)?).into())
}

pub(in crate::command) fn jump(arguments: &mut Arguments<'_>) -> Result<Command, LineError> {
    let at = arguments.place();
    let text = arguments.required_rest("a location")?;
    Ok(RunCommand::Jump(location(arguments, text, at)?).into())
}

pub(in crate::command) fn leave(arguments: &mut Arguments<'_>) -> Result<Command, LineError> {
    let text = arguments.take_rest();
    Ok(RunCommand::Return(Some(text.to_owned()).filter(|text| !text.is_empty())).into())
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
                return Err(arguments.fault(place, "expected a number of seconds after \"for\""));
            }
        },
    };
    let what = match what.trim() {
        "" | "stopped" => WaitFor::Stopped,
        "exited" => WaitFor::Exited,
        "any" => WaitFor::Any,
        set => WaitFor::Set(parse_set(set).map_err(|error| arguments.fault_within(at, error.position, error.message))?),
    };
    Ok(RunCommand::Wait(what, limit).into())
}
