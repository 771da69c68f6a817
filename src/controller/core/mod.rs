//! The controller: [`Controller`] is its interface, the interpreter executes the commands.

mod by_content;
mod commands;
mod controller;
mod due;
mod go_on;
mod interpreter;
mod keeping;
mod kept;
mod last_looks;
mod numbers;
mod outbox;
mod own_frames;
mod rank_events;
mod replies;
mod seen;
mod session_events;
mod sessions;
mod target;
mod tasks;
mod unplaced;
mod views;

pub use controller::Controller;

use crate::command::CommandId;
use crate::triage::JobReport;

/// An action for the owner of the controller, which itself does no I/O.
#[derive(Clone, Debug, PartialEq)]
pub enum Effect {
    /// Read a file of commands and give its text to [`Controller::provide`].
    Read(CommandId, String),
    /// Write a text to a file and create its directories; the outcome goes to [`Controller::provide`].
    Write(CommandId, String, String),
    /// Log the output to this file from now on (`None`: end the log); the outcome goes to [`Controller::provide`].
    Log(CommandId, Option<String>),
    /// Write a report into a directory as `report.html` and `report.json`; the outcome goes to [`Controller::provide`].
    WriteReport(CommandId, String, Box<JobReport>),
    /// Run a line in a shell, with this text as its standard input; the outcome goes to [`Controller::answer`].
    Shell {
        /// The command that asks.
        command: CommandId,
        /// The line.
        line: String,
        /// The standard input; `None`: there is none.
        input: Option<String>,
    },
    /// Open a file at a line in the user's editor; the outcome goes to [`Controller::answer`].
    Edit {
        /// The command that asks.
        command: CommandId,
        /// The file.
        file: String,
        /// The line.
        line: u32,
    },
}

#[cfg(test)]
mod tests;
