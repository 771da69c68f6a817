//! The controller: [`Controller`] is its interface, the interpreter executes the commands.

mod by_content;
mod commands;
mod controller;
mod due;
mod go_on;
mod interpreter;
mod keeping;
mod kept;
mod kept_numbers;
mod last_looks;
mod numbers;
mod outbox;
mod own_frames;
mod rank_events;
mod replies;
mod seen;
mod session_events;
mod session_history;
mod sessions;
mod target;
mod tasks;
mod unplaced;
mod views;

pub use controller::Controller;

use crate::command::CommandId;
use crate::triage::JobReport;
use model::StartChanges;

/// An action for the owner of the controller, which itself does no I/O.
#[derive(Clone, Debug, PartialEq)]
pub enum Effect {
    /// Read a file of commands and give its text to [`Controller::provide`].
    Read(CommandId, String),
    /// Write a text to a file and create its directories; the outcome goes to [`Controller::provide`].
    Write(CommandId, String, String),
    /// Log the output to a file from now on (`None`: end the log); the outcome goes to [`Controller::provide`].
    Log(CommandId, Option<LogOrder>),
    /// Write a report into a directory as `report.html` and `report.json`; the outcome goes to [`Controller::provide`].
    WriteReport(CommandId, String, Box<JobReport>),
    /// Keep the job under a name, to be started again; the outcome goes to [`Controller::provide`].
    SaveRun {
        /// The command that asks.
        command: CommandId,
        /// The name.
        name: String,
        /// The arguments with which the program was started.
        arguments: Vec<String>,
        /// What changes at the next start.
        changes: StartChanges,
        /// Commands that restore breakpoints and settings.
        setup: String,
    },
    /// Write files of data; the outcome goes to [`Controller::provide`].
    WriteData(CommandId, Vec<DataWrite>),
    /// Drop the files of data that the command has begun and not finished. There is no answer.
    DropData(CommandId),
    /// Read bytes of a file of data; they go to [`Controller::provide_data`].
    ReadData {
        /// The command that asks.
        command: CommandId,
        /// The file.
        path: String,
        /// The first byte.
        from: u64,
        /// The most bytes.
        length: u64,
    },
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

/// A log to begin.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogOrder {
    /// The file.
    pub path: String,
    /// True to replace the file, false to add to it.
    pub overwrite: bool,
    /// True if a script writes to it only.
    pub redirect: bool,
}

/// A step of writing a file of data.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DataWrite {
    /// Begins a file: a new one, which takes its name when it is finished, or at the end of an old one.
    Begin {
        /// The file.
        path: String,
        /// True to add to it.
        append: bool,
        /// The bytes of data that will follow.
        size: u64,
    },
    /// Adds bytes to a file that was begun.
    Bytes {
        /// The file.
        path: String,
        /// The bytes.
        bytes: Vec<u8>,
    },
    /// Finishes a file.
    Finish {
        /// The file.
        path: String,
    },
}

/// Bytes of a file of data.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DataRead {
    /// The length of the whole file.
    pub size: u64,
    /// The bytes that were asked for; fewer only at its end.
    pub bytes: Vec<u8>,
}

#[cfg(test)]
mod tests;
