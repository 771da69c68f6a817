//! Reports to the user, as typed values, before they become text or JSON. Text and JSON are made from them side by
//! side.

pub mod arrays;
mod coalesce;
mod counts;
mod finding;
mod formatted;
mod json;
mod json_breakpoint;
mod json_object;
mod numbers;
mod processes;
mod queues;
mod rank_layout;
mod running;
mod session;
mod spoken;
mod stacks;
mod text;
mod text_breakpoint;
mod text_data;
mod text_words;
mod values;
mod watched;
mod why_answer;
mod written;

pub use arrays::FirstPage;
pub(crate) use arrays::table::first_page;
pub use coalesce::{Coalescer, join};
pub use counts::hits_short;
pub(crate) use formatted::formatted;
pub use numbers::array_sums::ArraySum;
pub use numbers::comparison::{Comparison, Numbers};
pub use numbers::snapshot_changes::{SnapshotChanges, SnapshotReport, SnapshotRow, is_same_function};
pub use numbers::value_summary::PrintedSummary;
pub use processes::saved_data::{RestoredData, SavedData};
pub use rank_layout::{LayoutReport, coordinates_text, host_text};
pub use running::{KnownToRun, STILL_RUNNING};
pub use session::printers::PrinterListing;
pub use spoken::spoken_lines;
pub use stacks::arguments::{ShownArguments, StackArguments, arguments_text};
pub(crate) use stacks::arguments::{add_arguments, runs_of_levels, wanted_arguments};
pub use stacks::groups::RankStack;
pub use stacks::text::share;
pub use text_words::{cause_words, frame_place, killed_words, marked};
pub use values::{PrintedRegister, PrintedVariable, printed_unit};
pub(crate) use values::{memory_end, printed, printed_memory, printed_register, printed_variable};
pub use watched::{value_returned, watched_words};
pub use written::Written;

use crate::StackTree;
use crate::command::{CodeForm, CommandId, ScriptPlace};
use crate::sets::ThreadGroup;
use crate::state::{ListedRequest, SessionInfo, StatusGroup};
use crate::why::Why;
use model::aif::FormatOptions;
use model::{
    ArrayFindings, ArrayStatistics, Breakpoint, BreakpointId, BytesFound, CoreFile, Datum, Disposition, EngineName,
    Frame, Instruction, Library, LibraryEvents, MessageQueues, ProcessFacts, ProcessSet, ResourceLimit, ScanCondition,
    Severity, SignalInfo, SourceOrigin, Stop, Stream, SymbolList, SymbolQuery, Termination, ThreadId, ThreadInfo,
    UserFrame, VirtualAddress, printable_json, printable_lines,
};
use std::{collections::BTreeMap, sync::Arc, time::Duration};

/// The command to which a report belongs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Origin {
    /// The id that [`crate::Controller::execute`] returned.
    pub id: CommandId,
    /// The command line, without comment.
    pub line: Arc<str>,
    /// The command that ran this line: one for many threads or frames, or a file of commands.
    pub parent: Option<CommandId>,
    /// The command that the user gave: this one, or the outermost one that ran it.
    pub root: CommandId,
    /// The line's place in a script.
    pub place: Option<ScriptPlace>,
}

impl Origin {
    /// Builds the origin of a command that the user gave.
    pub fn typed(id: CommandId, line: impl Into<Arc<str>>) -> Self {
        Self { id, line: line.into(), parent: None, root: id, place: None }
    }
}

/// A message to the user.
#[derive(Clone, Debug, PartialEq)]
pub struct Report {
    /// The command it answers; `None` for an unrequested event.
    pub origin: Option<Origin>,
    /// The message itself.
    pub content: Content,
    /// The limits for the value that came with a stop: the settings at that time.
    pub limits: FormatOptions,
}

impl Report {
    /// Returns the place of the line in a script that failed.
    fn place_of_error(&self) -> Option<&ScriptPlace> {
        let origin = self.origin.as_ref().filter(|_| matches!(self.content, Content::Error { .. }));
        origin.and_then(|origin| origin.place.as_ref())
    }
}

/// The kind of variables listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// Local variables of the frame.
    Locals,
    /// Parameters of the frame.
    Arguments,
    /// Global variables of the program.
    Globals,
    /// Those of which each thread has its own.
    ThreadLocals,
}

/// A printed line of memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MemoryRow {
    /// The address of its first byte.
    pub address: VirtualAddress,
    /// The symbol there: `table+8`.
    pub symbol: Option<String>,
    /// The units, formatted.
    pub units: Vec<String>,
}

impl MemoryRow {
    /// Returns gdb's label of the line.
    pub fn label(&self) -> String {
        match &self.symbol {
            Some(symbol) => format!("{} <{symbol}>", self.address),
            None => self.address.to_string(),
        }
    }
}

/// A frame with its variables, or why they are not known.
#[derive(Clone, Debug, PartialEq, Hash)]
pub struct FullFrame {
    /// The frame itself.
    pub frame: Frame,
    /// The parameters, or why they are not known.
    pub arguments: Result<Vec<PrintedVariable>, String>,
    /// The local variables, or why they are not known.
    pub locals: Result<Vec<PrintedVariable>, String>,
}

/// Lines of sources, by the index of the instruction before which they are shown.
pub type CodeLines = BTreeMap<usize, Vec<String>>;

/// The content of a report.
#[derive(Clone, Debug, PartialEq)]
pub enum Content {
    /// The job is ready.
    Session(SessionInfo),
    /// Ranks stopped.
    Stopped(ProcessSet, Stop),
    /// Ranks are running again.
    Running(ProcessSet),
    /// Ranks exited with a code.
    Exited(ProcessSet, i32),
    /// A signal killed ranks.
    Killed(ProcessSet, Termination),
    /// Ranks were detached.
    Detached(ProcessSet),
    /// Ranks failed to start; holds the reason.
    Failed(ProcessSet, String),
    /// Ranks are unreachable.
    Lost {
        /// The lost ranks.
        ranks: ProcessSet,
        /// Their host; empty if not known.
        host: String,
        /// The way in which it was noticed.
        message: String,
    },
    /// Ranks wrote output.
    Output(ProcessSet, Stream, String),
    /// The launcher wrote this: its own words, and under MPIR also the output of its ranks.
    LauncherOutput(String),
    /// A breakpoint's present state.
    Breakpoint(Breakpoint),
    /// A breakpoint of ranks that have ended, which they get when the job starts again.
    BreakpointForStart(Breakpoint),
    /// Ranks hit a tracepoint.
    Traced {
        /// The ranks that share the values.
        ranks: ProcessSet,
        /// The tracepoint's number.
        id: BreakpointId,
        /// The thread that hit it.
        thread: ThreadId,
        /// The innermost frame.
        frame: Frame,
        /// The values of the tracepoint's expressions.
        values: Vec<PrintedVariable>,
    },
    /// Stacks, by the ranks that share them.
    Stacks(Vec<RankStack>),
    /// A stack that ranks share, with variables that they share, too.
    FullStack(ProcessSet, Vec<FullFrame>, Option<Box<UserFrame>>),
    /// The selected frame.
    Frame(ProcessSet, Frame, Option<ShownArguments>),
    /// A reply of ranks that came after its command had ended.
    Late {
        /// The ranks that reply late.
        ranks: ProcessSet,
        /// The command's line.
        command: Arc<str>,
        /// The content of the reply.
        content: Box<Content>,
    },
    /// Merged stacks.
    Tree {
        /// The stacks.
        tree: StackTree,
        /// True if every call of libraries is shown in text.
        all: bool,
    },
    /// For whom ranks wait.
    Why(Why),
    /// A value that ranks share.
    Value {
        /// The ranks that share it.
        ranks: ProcessSet,
        /// The expression evaluated.
        expression: String,
        /// The value as printed, in the format asked for.
        text: String,
        /// The value with its type.
        datum: Datum,
        /// Its number, if it is displayed at every stop.
        display: Option<u32>,
    },
    /// The values of an expression on more ranks than are shown each.
    Summary(ProcessSet, String, Box<PrintedSummary>),
    /// The numbers by which the ranks are coloured.
    Colours(ProcessSet, String, Box<PrintedSummary>),
    /// The arrangement of ranks on the screen.
    Layout(LayoutReport),
    /// The statistics of an expression over ranks.
    Comparison(String, Comparison),
    /// Kept snapshots, or what has changed since one.
    Snapshot(SnapshotReport),
    /// The statistics of an array that ranks share.
    Statistics {
        /// The ranks that share them.
        ranks: ProcessSet,
        /// The array.
        expression: String,
        /// The statistics.
        statistics: ArrayStatistics,
        /// True if text shows the histogram.
        histogram: bool,
    },
    /// The numbers of an array on many ranks together, measured or found.
    ArraySum(ProcessSet, String, ArraySum),
    /// The elements of an array that meet a condition.
    Found {
        /// The ranks that share them.
        ranks: ProcessSet,
        /// The array.
        expression: String,
        /// The condition.
        condition: ScanCondition,
        /// The elements.
        findings: ArrayFindings,
    },
    /// The first page of an array.
    Array(Box<FirstPage>),
    /// The type of an expression.
    Type {
        /// The ranks that share the type.
        ranks: ProcessSet,
        /// The expression or type name given.
        expression: String,
        /// The type in the language's spelling.
        text: String,
    },
    /// Variables, one list for the ranks that share all values.
    Variables(Scope, Vec<(ProcessSet, Vec<PrintedVariable>)>),
    /// Registers, one list for the ranks that share all of them.
    Registers(Vec<(ProcessSet, Vec<PrintedRegister>)>),
    /// Ranks grouped by state.
    Status(Vec<StatusGroup>),
    /// Threads of ranks.
    Threads(ProcessSet, Vec<ThreadInfo>),
    /// Memory that ranks share.
    Memory {
        /// The ranks that share the content.
        ranks: ProcessSet,
        /// The address of the first byte.
        address: VirtualAddress,
        /// The rows, formatted as asked for.
        rows: Vec<MemoryRow>,
        /// The bytes.
        bytes: Vec<u8>,
    },
    /// Instructions that ranks share.
    Instructions(ProcessSet, Vec<Instruction>, CodeForm, CodeLines),
    /// Lines of a source file.
    Source {
        /// The file's name.
        file: Arc<str>,
        /// The number of the first line.
        first: u32,
        /// The lines without newlines.
        lines: Vec<String>,
        /// The ranks stopped at each line.
        current: BTreeMap<u32, ProcessSet>,
        /// The file that the lines come from.
        origin: SourceOrigin,
    },
    /// Signals with their settings.
    Signals(Vec<(SignalInfo, Vec<(ProcessSet, Disposition)>)>),
    /// Loaded files, and the counts of the events that loaded them.
    Libraries(Vec<(ProcessSet, Vec<Library>, LibraryEvents)>),
    /// The limits on resources.
    Limits(Vec<(ProcessSet, Vec<ResourceLimit>)>),
    /// Functions, variables, types or source files.
    Symbols {
        /// The ranks that share them.
        ranks: ProcessSet,
        /// The command.
        query: Box<SymbolQuery>,
        /// True without headings.
        quiet: bool,
        /// What was found.
        list: Box<SymbolList>,
    },
    /// The places at which bytes were found.
    BytesFound {
        /// The ranks that share them.
        ranks: ProcessSet,
        /// The places.
        found: BytesFound,
        /// True if the user said how many at most.
        limited: bool,
    },
    /// What the kernel knows of processes.
    ProcessFacts(ProcessSet, Box<ProcessFacts>),
    /// Core files that were written.
    CoreFiles(Vec<(ProcessSet, CoreFile)>),
    /// Data of ranks in files.
    SavedData(SavedData),
    /// Files in the memory of ranks.
    RestoredData(RestoredData),
    /// The message queues of an MPI.
    Queues(Vec<(ProcessSet, MessageQueues)>),
    /// The engine's reply to a command of its own.
    EngineText(ProcessSet, String),
    /// The engine that debugs ranks.
    UnderEngine(ProcessSet, EngineName),
    /// Libraries were loaded or unloaded.
    LibrariesChanged {
        /// The ranks concerned.
        ranks: ProcessSet,
        /// The names of the loaded libraries.
        loaded: Vec<String>,
        /// The names of the unloaded libraries.
        unloaded: Vec<String>,
    },
    /// A report was written to files.
    Written(Written),
    /// Named sets.
    Groups(Vec<(String, ProcessSet)>),
    /// The new focus.
    Focus {
        /// The ranks of the focus.
        ranks: ProcessSet,
        /// The focus as the user spelled it.
        text: String,
        /// The thread, if one was named; the first one of a group.
        thread: Option<ThreadId>,
        /// The threads, if several were named.
        group: Option<ThreadGroup>,
    },
    /// What is the same for these threads.
    OfThreads(ThreadGroup, Box<Content>),
    /// Ranks that are held: they ignore continue and step.
    Held(ProcessSet),
    /// Settings: name and value.
    Settings(Vec<(String, String)>),
    /// Aliases: name and text.
    Aliases(Vec<(String, String)>),
    /// Printers, by their files.
    Printers(Vec<PrinterListing>),
    /// Requests for a debugger.
    Requests(Vec<ListedRequest>),
    /// Text such as help; no ranks: of the session.
    Text(ProcessSet, String),
    /// An unrequested message of the session.
    Message(Severity, ProcessSet, String),
    /// Ranks that have not replied, with the reason.
    Missing(ProcessSet, String),
    /// A command failed, on ranks or as a whole.
    Error {
        /// The ranks concerned; empty if the command failed as a whole.
        ranks: ProcessSet,
        /// The fault and the next step.
        message: String,
        /// The place in the line, in characters from 0; `None` if there is none.
        position: Option<usize>,
    },
    /// The command has ended.
    Done {
        /// The time from `execute` to now.
        elapsed: Duration,
        /// The ranks that replied.
        answered: ProcessSet,
        /// True if it reported an error.
        failed: bool,
    },
}

impl Content {
    /// Returns what is said, without the threads of which it is said.
    pub fn without_threads(&self) -> &Self {
        match self {
            Self::OfThreads(_, content) => content,
            other => other,
        }
    }
}

/// Formats a report as text lines without newlines; none if there is nothing to say. Names, values and output come from
/// the debuggee, its files and its hosts: nothing in them can control the terminal or begin a line of its own.
pub fn text_lines(report: &Report) -> Vec<String> {
    let line = |line: String| printable_lines(&line).replace('\n', "\\n");
    raw_text_lines(report).into_iter().map(line).collect()
}

/// As [`text_lines`], with every character unchanged.
pub fn raw_text_lines(report: &Report) -> Vec<String> {
    text::lines(report)
}

/// Formats a report as JSON, one object per line; most have one.
pub fn json_lines(report: &Report) -> Vec<String> {
    json::lines(report).into_iter().map(|line| printable_json(&line).into_owned()).collect()
}

#[cfg(test)]
mod tests;
