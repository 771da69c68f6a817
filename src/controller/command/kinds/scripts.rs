//! Commands of scripts, parsed.

use crate::command::condition::Condition;
use crate::command::kinds::PrintForm;
use crate::command::print_format::PrintFormat;
use model::BreakpointId;
use serde::{Deserialize, Serialize};

/// An event that runs a command of the user.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Occasion {
    /// Ranks stop.
    Stop,
    /// Ranks exit or are killed.
    Exit,
}

impl Occasion {
    /// All occasions.
    pub const ALL: [Self; 2] = [Self::Stop, Self::Exit];

    /// Its word in `on stop COMMAND`.
    pub fn word(self) -> &'static str {
        match self {
            Self::Stop => "stop",
            Self::Exit => "exit",
        }
    }
}

/// A command of scripts.
#[derive(Clone, Debug, PartialEq)]
pub enum ScriptCommand {
    /// Runs one of two blocks.
    If(Condition),
    /// Repeats a block.
    While(Condition),
    /// Stands between the blocks of an `if`.
    Else,
    /// Ends a block.
    End,
    /// Leaves the innermost loop.
    Break,
    /// Begins the next round of the innermost loop.
    Continue,
    /// Defines a command.
    Define(String),
    /// Describes a defined command.
    Document(String),
    /// Runs a defined command with arguments.
    Call(String, String),
    /// Sets the commands of breakpoints; an empty list means the latest.
    Commands(Vec<BreakpointId>),
    /// Suppresses the report of the stop; the first of a breakpoint's commands.
    Silent,
    /// Prints values in a format.
    Printf(PrintFormat, Vec<String>),
    /// Prints text.
    Echo(String),
    /// Prints a value without its name; the next text of the script goes on behind it.
    OutputValue(PrintForm, String),
    /// Runs a line that is made of values in a format.
    Eval(PrintFormat, Vec<String>),
    /// Does nothing: an empty line repeats only steps here.
    DontRepeat,
    /// Shows the commands that the user defined, or one of them.
    ListDefinitions(Option<String>),
    /// Lists how a line can go on.
    CompleteLine(String),
    /// Sets the command of an occasion; `None` removes it.
    On(Occasion, Option<String>),
    /// Lists the commands of occasions.
    Occasions,
}
