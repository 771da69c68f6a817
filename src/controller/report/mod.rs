//! Reports to the user, as typed values, before they become text or JSON. Text and JSON are made from them side by
//! side.

mod coalesce;
mod comparison;
mod counts;
mod json;
mod json_object;
mod libraries;
mod requests;
mod running;
mod text;
mod text_breakpoint;
mod text_data;
mod text_words;
mod values;

pub use coalesce::{Coalescer, join};
pub use comparison::{Comparison, Numbers};
pub use counts::hits_short;
pub use running::{KnownToRun, STILL_RUNNING};
pub use text_words::{frame_place, marked, watched_words};
pub(crate) use values::{memory_end, printed, printed_memory, printed_register, printed_variable};

use crate::StackTree;
use crate::command::CommandId;
use crate::state::{ListedRequest, SessionInfo, StatusGroup};
use model::aif::FormatOptions;
use model::{
    Breakpoint, BreakpointId, Datum, Disposition, EngineName, Frame, Instruction, Library, LibraryEvents, ProcessSet,
    Severity, SignalInfo, SignalName, Stop, Stream, ThreadId, ThreadInfo, VirtualAddress, printable_json,
    printable_lines,
};
use std::{collections::BTreeMap, sync::Arc, time::Duration};

/// The command a report belongs to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Origin {
    /// As `execute` gave it out.
    pub id: CommandId,
    /// The line, without comment.
    pub line: Arc<str>,
    /// The command that ran this line for the user: one for many threads or frames, a file of commands.
    pub parent: Option<CommandId>,
}

/// Something the user is told.
#[derive(Clone, Debug, PartialEq)]
pub struct Report {
    /// Which command it answers; `None` for what happened by itself.
    pub origin: Option<Origin>,
    /// What.
    pub content: Content,
    /// How much of a value is shown that a stop came with: what the settings were when it was told.
    pub limits: FormatOptions,
}

/// Which variables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// Of the frame.
    Locals,
    /// Parameters of the frame.
    Arguments,
    /// Of the program.
    Globals,
}

/// A variable as it is printed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PrintedVariable {
    /// As in the source.
    pub name: String,
    /// Its value as gdb prints it, or `<…>`.
    pub text: String,
    /// As DWARF spells it.
    pub type_name: String,
}

/// A register as it is printed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PrintedRegister {
    /// As a value of its type.
    pub variable: PrintedVariable,
    /// Its bits in hexadecimal; of a floating-point register its value.
    pub raw: String,
    /// What they mean; of a floating-point register its bits.
    pub natural: String,
}

/// A line of memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MemoryRow {
    /// Where it begins.
    pub address: VirtualAddress,
    /// What is there: `table+8`.
    pub symbol: Option<String>,
    /// What it holds.
    pub units: Vec<String>,
}

impl MemoryRow {
    /// What gdb writes before it.
    pub fn label(&self) -> String {
        match &self.symbol {
            Some(symbol) => format!("{} <{symbol}>", self.address),
            None => self.address.to_string(),
        }
    }
}

/// A frame with what its function holds, or why that is not known.
#[derive(Clone, Debug, PartialEq)]
pub struct FullFrame {
    /// Where it is.
    pub frame: Frame,
    /// Its parameters.
    pub arguments: Result<Vec<PrintedVariable>, String>,
    /// Its local variables.
    pub locals: Result<Vec<PrintedVariable>, String>,
}

/// What the user is told.
#[derive(Clone, Debug, PartialEq)]
pub enum Content {
    /// The job is there.
    Session(SessionInfo),
    /// Ranks stopped.
    Stopped(ProcessSet, Stop),
    /// Ranks execute again.
    Running(ProcessSet),
    /// Ranks ended with a code.
    Exited(ProcessSet, i32),
    /// Ranks ended by a signal.
    Killed(ProcessSet, SignalName),
    /// Ranks were let go.
    Detached(ProcessSet),
    /// Ranks could not be started; why.
    Failed(ProcessSet, String),
    /// Ranks are out of reach.
    Lost {
        /// Who.
        ranks: ProcessSet,
        /// Where they were; empty when not known.
        host: String,
        /// How it was noticed.
        message: String,
    },
    /// Ranks wrote something.
    Output(ProcessSet, Stream, String),
    /// A breakpoint as it is now.
    Breakpoint(Breakpoint),
    /// Ranks came by a tracepoint.
    Traced {
        /// Who.
        ranks: ProcessSet,
        /// Which.
        id: BreakpointId,
        /// The thread that came by.
        thread: ThreadId,
        /// Where.
        frame: Frame,
        /// What was asked for.
        values: Vec<PrintedVariable>,
    },
    /// A stack that ranks share.
    Stack(ProcessSet, Vec<Frame>),
    /// A stack that ranks share, with variables that they share too.
    FullStack(ProcessSet, Vec<FullFrame>),
    /// The frame that is looked at now.
    Frame(ProcessSet, Frame),
    /// What ranks answered to a command that was over when they did.
    Late {
        /// Who.
        ranks: ProcessSet,
        /// Its line.
        command: Arc<str>,
        /// What came of it.
        content: Box<Content>,
    },
    /// Merged stacks.
    Tree(StackTree),
    /// A value that ranks share.
    Value {
        /// Who.
        ranks: ProcessSet,
        /// Of what.
        expression: String,
        /// As printed, in the format asked for.
        text: String,
        /// With its type.
        datum: Datum,
    },
    /// A value over ranks, in numbers.
    Comparison(String, Comparison),
    /// The type of an expression.
    Type {
        /// Who.
        ranks: ProcessSet,
        /// Of what.
        expression: String,
        /// In the language's spelling.
        text: String,
    },
    /// Variables, one list for the ranks that share all their values.
    Variables(Scope, Vec<(ProcessSet, Vec<PrintedVariable>)>),
    /// Registers, one list for the ranks that share them all.
    Registers(Vec<(ProcessSet, Vec<PrintedRegister>)>),
    /// Ranks grouped by what they do.
    Status(Vec<StatusGroup>),
    /// Threads of ranks.
    Threads(ProcessSet, Vec<ThreadInfo>),
    /// Memory that ranks share.
    Memory {
        /// Who.
        ranks: ProcessSet,
        /// Of the first byte.
        address: VirtualAddress,
        /// Formatted as asked.
        rows: Vec<MemoryRow>,
        /// The bytes.
        bytes: Vec<u8>,
    },
    /// Instructions that ranks share.
    Instructions(ProcessSet, Vec<Instruction>),
    /// Lines of a file.
    Source {
        /// Which.
        file: Arc<str>,
        /// Number of the first line.
        first: u32,
        /// Without newlines.
        lines: Vec<String>,
        /// Who is stopped where in them.
        current: BTreeMap<u32, ProcessSet>,
    },
    /// Signals and what happens on them.
    Signals(Vec<(SignalInfo, Vec<(ProcessSet, Disposition)>)>),
    /// Loaded files, and what became of the events that brought them.
    Libraries(Vec<(ProcessSet, Vec<Library>, LibraryEvents)>),
    /// What the engine says to a command of its own.
    EngineText(ProcessSet, String),
    /// Which engine debugs ranks.
    UnderEngine(ProcessSet, EngineName),
    /// Libraries came or went.
    LibrariesChanged {
        /// On whom.
        ranks: ProcessSet,
        /// Those that came.
        loaded: Vec<String>,
        /// Those that went.
        unloaded: Vec<String>,
    },
    /// Named sets.
    Groups(Vec<(String, ProcessSet)>),
    /// Whom commands mean from now on.
    Focus {
        /// The ranks.
        ranks: ProcessSet,
        /// As spelled.
        text: String,
        /// The thread, when one was named.
        thread: Option<ThreadId>,
    },
    /// Ranks that ignore go and step from now on.
    Held(ProcessSet),
    /// Settings with their values.
    Settings(Vec<(String, String)>),
    /// Names the user gave to text.
    Aliases(Vec<(String, String)>),
    /// Programs that ask for a debugger.
    Requests(Vec<ListedRequest>),
    /// Words: help, the back end.
    Text(ProcessSet, String),
    /// Told by the session unasked.
    Message(Severity, ProcessSet, String),
    /// Ranks that did not answer.
    Missing(ProcessSet, String),
    /// A command went wrong on ranks, or at all (no ranks).
    Error {
        /// On whom; empty: not a matter of ranks.
        ranks: ProcessSet,
        /// What, where, what to do.
        message: String,
        /// Where in the line, in characters from 0.
        position: Option<usize>,
    },
    /// The command is over.
    Done {
        /// From `execute` to now.
        elapsed: Duration,
        /// Who answered.
        answered: ProcessSet,
        /// Whether it reported an error.
        failed: bool,
    },
}

/// The lines of a report for people, without newlines; none when there is nothing to say. Names, values and output come
/// from the debuggee, its files and its hosts: nothing in them steers the terminal or begins a line of its own.
pub fn text_lines(report: &Report) -> Vec<String> {
    let line = |line: String| printable_lines(&line).replace('\n', "\\n");
    raw_text_lines(report).into_iter().map(line).collect()
}

/// The same with every character as it came.
pub fn raw_text_lines(report: &Report) -> Vec<String> {
    text::lines(report)
}

/// The lines of a report as JSON, one object each; most have one.
pub fn json_lines(report: &Report) -> Vec<String> {
    json::lines(report).into_iter().map(|line| printable_json(&line).into_owned()).collect()
}

#[cfg(test)]
mod tests;
