//! The command language: the parser, help, completion and `docs/COMMANDS.md` are derived from one table.

mod arguments;
mod comment;
mod complete;
mod help;
mod line;
mod line_error;
mod parse;
mod table;
mod unsupported;
mod variables;

pub use complete::{Completion, MemberBegun, complete, member_begun, name_begun};
pub use help::{commands_markdown, help};
pub use line::{Invocation, is_blank, parse_line};
pub use line_error::LineError;
pub use table::{ArgumentKind, Entry, Topic, entries};
pub use variables::{OUTPUT_LINES, VARIABLES, Variable, Variables};

use crate::sets::{Scope, SetExpr};
use crate::state::Displayed;
use model::aif::FormatLetter;
use model::{
    BreakpointId, Catch, EngineName, Inquiry, LocationSpec, PrintLimits, SignalName, StepKind, ThreadId, WatchAccess,
};
use serde::{Deserialize, Serialize};

/// A command line given to [`crate::Controller::execute`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CommandId(pub u32);

/// What `x` shows: how many units of how many bytes, and how.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MemoryFormat {
    /// Units; for `s` strings.
    pub count: u32,
    /// Bytes of a unit: 1, 2, 4 or 8.
    pub unit: u32,
    /// How a unit is printed.
    pub format: FormatLetter,
    /// Characters of a string that are shown at once.
    pub limit: u32,
    /// They lie before the address, and the next ones before them.
    pub back: bool,
}

/// How a command of memory shows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Form {
    /// As units of this format.
    Values(FormatLetter),
    /// As instructions.
    Instructions,
}

/// What stands behind `print/`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PrintForm {
    /// `None`: by its type.
    pub letter: Option<FormatLetter>,
    /// `r`: as it is made, containers not as what they hold.
    pub raw: bool,
    /// `-elements N`: at most so many of them; `None`: as the setting says.
    pub elements: Option<u32>,
    /// `-repeats N`: more equal ones in a row are shown once; `None`: as the setting says.
    pub repeats: Option<u32>,
}

impl PrintForm {
    /// How much of the value is shown where the options say so, and where they do not as usual.
    pub fn limits(&self, usual: PrintLimits) -> Option<PrintLimits> {
        let own = PrintLimits {
            elements: self.elements.unwrap_or(usual.elements),
            repeats: self.repeats.unwrap_or(usual.repeats),
        };
        (own != usual).then_some(own)
    }
}

/// What the line of an `x` says; the rest is as it was the last time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Examined {
    /// Units, strings or instructions; `None`: nothing is said at all.
    pub count: Option<u32>,
    /// Bytes of a unit: 1, 2, 4 or 8.
    pub unit: Option<u32>,
    /// How they are shown.
    pub form: Option<Form>,
    /// They lie before the address.
    pub back: bool,
}

/// Which frames of a stack are wanted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Extent {
    /// All.
    #[default]
    All,
    /// So many innermost ones.
    Innermost(u32),
    /// So many outermost ones.
    Outermost(u32),
}

/// For which threads or frames a command is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Apply {
    /// Threads.
    Threads {
        /// `None`: all.
        which: Option<Vec<ThreadId>>,
        /// All of them from the first on.
        ascending: bool,
    },
    /// Frames of a thread.
    Frames(Extent),
}

/// How `where` shows stacks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stacks {
    /// As one tree.
    pub merge: bool,
    /// With arguments and local variables.
    pub full: bool,
    /// Which frames.
    pub extent: Extent,
}

/// What `wait` waits for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WaitFor {
    /// All ranks of the scope are stopped or ended.
    Stopped,
    /// The first of those of the scope that run is stopped or ended.
    Any,
    /// All ranks of the scope have ended.
    Exited,
    /// All ranks of this set are stopped or ended.
    Set(SetExpr),
}

/// Lines that `list` shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ListRange {
    /// On from what was listed last, or around the shown frame.
    Next,
    /// Around a place.
    Around(LocationSpec),
    /// From a place on, perhaps to a line of its file.
    FromPlace(LocationSpec, Option<u32>),
    /// These lines of the shown file.
    Lines(u32, u32),
    /// Those before what was listed last.
    Before,
    /// From this line of the shown file on.
    From(u32),
    /// Up to this line of the shown file.
    To(u32),
}

/// When a breakpoint acts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct When {
    /// Only when true.
    pub condition: Option<String>,
    /// Times to pass over.
    pub ignore: u64,
    /// Only this thread.
    pub thread: Option<ThreadId>,
}

/// What becomes of a session with live ranks when another takes its place.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Parting {
    /// It stays the present one.
    #[default]
    Stay,
    /// It goes on without a front end.
    Leave,
    /// Its ranks are killed.
    Kill,
}

/// What is done with programs that ask for a debugger.
#[derive(Clone, Debug, PartialEq)]
pub enum Reverse {
    /// List them.
    List,
    /// Debug one; none named: the only one. What becomes of a session with live ranks.
    Accept(Option<String>, Parting),
    /// Send one away, with a reason.
    Reject(String, Option<String>),
    /// Wait until one asks, perhaps no longer than some seconds.
    Wait(Option<f64>),
    /// Look for them always, or never.
    Listen(bool),
}

/// A command with its arguments understood.
#[derive(Clone, Debug, PartialEq)]
pub enum Command {
    /// An empty line.
    Nothing,
    /// Show the focus, or set it.
    Focus(Option<Scope>),
    /// Name a set.
    Group(String, SetExpr),
    /// List named sets.
    Groups,
    /// Forget a name.
    Ungroup(String),
    /// Ranks by what they do.
    Status,
    /// Set a breakpoint.
    Break {
        /// `None`: where the lead is.
        location: Option<LocationSpec>,
        /// Once.
        temporary: bool,
        /// When it stops.
        when: When,
    },
    /// Set a barrier: where, `None` as for a breakpoint, and when.
    Barrier(Option<LocationSpec>, When),
    /// Set a watchpoint.
    Watch {
        /// Which accesses.
        access: WatchAccess,
        /// What is watched.
        expression: String,
        /// When it stops.
        when: When,
    },
    /// Set a catchpoint.
    Catch(Catch, When),
    /// Set a tracepoint.
    Trace {
        /// `None`: where the lead is.
        location: Option<LocationSpec>,
        /// What is shown there.
        expressions: Vec<String>,
        /// When.
        when: When,
    },
    /// List breakpoints.
    Breakpoints,
    /// Delete these; none: all.
    Delete(Vec<BreakpointId>),
    /// Delete those at a place; `None`: where the lead is.
    Clear(Option<LocationSpec>),
    /// Enable (`true`) or disable these; none: all.
    Enable(Vec<BreakpointId>, bool),
    /// Change or remove a condition.
    Condition(BreakpointId, Option<String>),
    /// Arrivals to pass over.
    After(BreakpointId, u64),
    /// Resume.
    Go,
    /// Resume, and stop at the n-th arrival at the breakpoint that was come to.
    GoPast(u64),
    /// Stop.
    Halt,
    /// Step.
    Step(StepKind, u32),
    /// Run to a place in the frame.
    Until(LocationSpec),
    /// Run to a place.
    Advance(LocationSpec),
    /// Go on at a place.
    Jump(LocationSpec),
    /// Leave the frame, perhaps with a value.
    Return(Option<String>),
    /// Hold or no longer hold.
    Hold(bool),
    /// Wait, perhaps no longer than some seconds.
    Wait(WaitFor, Option<f64>),
    /// End the processes.
    Kill,
    /// Start the job again.
    Restart,
    /// Let the processes go.
    Detach,
    /// End the session.
    Quit,
    /// Stacks.
    Where(Stacks),
    /// Show the frame, or choose one.
    Frame(Option<u32>),
    /// Choose the innermost frame of a function.
    FrameOf(String),
    /// Run a command for threads or frames.
    Apply(Apply, String),
    /// Outward.
    Up(u32),
    /// Inward.
    Down(u32),
    /// List threads.
    Threads,
    /// Show the thread, or choose one.
    Thread(Option<ThreadId>),
    /// A value.
    Print(PrintForm, String),
    /// Keep an expression in sight; `None`: show all that are.
    Display(Option<Displayed>),
    /// No longer; none named: all.
    Undisplay(Vec<u32>),
    /// A value over all ranks, in numbers.
    Compare(String),
    /// Local variables.
    Locals,
    /// Parameters.
    Arguments,
    /// Global variables whose names fit.
    Globals(String),
    /// The type of an expression.
    Whatis(String),
    /// A type spelled out.
    Ptype(String),
    /// `left = right`.
    Assign(String),
    /// Memory; without an address, on from what was shown last.
    Examine(Examined, Option<String>),
    /// Where the frame is, or of what source it is, in words.
    Tell(Inquiry),
    /// Instructions of the function that a place is in.
    Disassemble(Option<LocationSpec>),
    /// What is at the address of an expression.
    SymbolAt(String),
    /// Where the code of a line is.
    CodeOf(Option<LocationSpec>),
    /// Change memory: address expression, bytes.
    Write(String, Vec<u8>),
    /// Registers; none named: all.
    Registers(Vec<String>),
    /// Source lines.
    List(ListRange),
    /// List signals; none named: all.
    Signals(Option<SignalName>),
    /// Change what happens on signals.
    Handle {
        /// Which.
        names: Vec<SignalName>,
        /// Stop the rank.
        stop: Option<bool>,
        /// Say so.
        print: Option<bool>,
        /// Let the program have it.
        pass: Option<bool>,
    },
    /// Resume with a signal, or with none.
    Signal(Option<SignalName>),
    /// Loaded files.
    Libraries,
    /// Which engine debugs the ranks.
    WhichEngine,
    /// Have another engine debug them.
    UseEngine(EngineName),
    /// Words for the engine as they are.
    Engine(String),
    /// Whose output is shown.
    Output(SetExpr),
    /// Write everything to a file too; `None`: no longer.
    Log(Option<String>),
    /// Run the commands of a file; `None`: what was saved of the program.
    Source(Option<String>),
    /// Write breakpoints, groups, settings and displayed expressions to a file; `None`: that of the program.
    Save(Option<String>),
    /// Give text a name; `None`: list them.
    Alias(Option<(String, String)>),
    /// Change a setting.
    Set(String, String),
    /// Show settings.
    Show(Option<String>),
    /// Programs that ask for a debugger.
    Reverse(Reverse),
    /// Explain.
    Help(Option<String>),
}
