//! Arguments of the commands about stacks and threads.

use super::{count, nothing, number};
use crate::controller::command::arguments::{Arguments, Word};
use crate::controller::command::line::LineError;
use crate::controller::command::{Command, Extent, Stacks};
use crate::model::ThreadId;

const WANTED: &str = "full, -merge, -limit N, or a number of frames (-N: the outermost)";

pub(in crate::controller::command) fn where_(arguments: &mut Arguments<'_>) -> Result<Command, LineError> {
    let mut stacks = Stacks::default();
    while let Some(word) = arguments.word()? {
        match word.text.as_str() {
            "-merge" => stacks.merge = true,
            "full" | "-full" => stacks.full = true,
            "-limit" => {
                let word = arguments.required("a number of frames")?;
                stacks.extent = Extent::Innermost(frames(arguments, &word, &word.text)?);
            }
            text if stacks.extent == Extent::All => {
                stacks.extent = match text.strip_prefix('-') {
                    Some(digits) => Extent::Outermost(frames(arguments, &word, digits)?),
                    None => Extent::Innermost(frames(arguments, &word, text)?),
                };
            }
            _ => return Err(arguments.fault(word.at, format!("{WANTED} is wanted"))),
        }
        if stacks.merge && stacks.full {
            return Err(arguments.fault(word.at, "a merged tree has no variables: either -merge or full"));
        }
    }
    Ok(Command::Where(stacks))
}

fn frames(arguments: &Arguments<'_>, word: &Word, digits: &str) -> Result<u32, LineError> {
    match digits.parse() {
        Ok(0) => Err(arguments.fault(word.at, "a number of frames from 1 is wanted")),
        Ok(n) => Ok(n),
        Err(_) => Err(arguments.fault(word.at, format!("{WANTED} is wanted, not {:?}", word.text))),
    }
}

pub(in crate::controller::command) fn threads(_: &mut Arguments<'_>) -> Result<Command, LineError> {
    nothing(Command::Threads)
}

pub(in crate::controller::command) fn frame(arguments: &mut Arguments<'_>) -> Result<Command, LineError> {
    match arguments.word()? {
        None => Ok(Command::Frame(None)),
        Some(word) => Ok(Command::Frame(Some(number(arguments, &word, "the number of a frame")?))),
    }
}

pub(in crate::controller::command) fn up(arguments: &mut Arguments<'_>) -> Result<Command, LineError> {
    Ok(Command::Up(count(arguments)?))
}

pub(in crate::controller::command) fn down(arguments: &mut Arguments<'_>) -> Result<Command, LineError> {
    Ok(Command::Down(count(arguments)?))
}

pub(in crate::controller::command) fn thread(arguments: &mut Arguments<'_>) -> Result<Command, LineError> {
    match arguments.word()? {
        None => Ok(Command::Thread(None)),
        Some(word) => match number(arguments, &word, "the number of a thread")? {
            0 => Err(arguments.fault(word.at, "threads are numbered from 1")),
            n => Ok(Command::Thread(Some(ThreadId(n)))),
        },
    }
}
