//! The use of the answers to a command's requests.

use crate::command::{
    Apply, ApplyFlags, CodeForm, Condition, Countdown, Invocation, ListEnd, MemoryFormat, PrintForm, PrintFormat,
    Stacks, VariableChoice,
};
use crate::core::target::Target;
use crate::core::tasks::data_files::{restoring::Restoring, saving::Saving};
use crate::core::tasks::investigation::Investigation;
use crate::core::tasks::sampling::Sampling;
use crate::core::tasks::taking::Taking;
use crate::report::{Content, RankStack, Scope, ShownArguments};
use crate::sets::{Scope as FocusScope, ThreadGroup};
use crate::state::{ChosenFrames, Displayed};
use model::{
    BreakpointId, BreakpointRequest, EngineName, Frame, Instruction, LocationSpec, Operation, ProcessSet,
    ScanCondition, SymbolQuery, ThreadId,
};
use std::sync::Arc;

/// What a script waits for behind a command that makes ranks run or stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::core) enum Awaits {
    Nothing,
    /// Their stop, within the limit of a setting.
    Step,
    /// Their stop on a request, within the same limit.
    Halt,
    /// Their next stop, however late it is.
    Stop,
}

#[derive(Clone, Debug, PartialEq)]
pub(in crate::core) enum Then {
    /// The ranks were continued; a step of a script waits for them.
    Run {
        awaits: Awaits,
        /// The frames that were selected: ranks that refuse to run keep theirs.
        left: ChosenFrames,
    },
    /// A breakpoint was set.
    Breakpoint(BreakpointId),
    /// Breakpoints were set by one command.
    Breakpoints(Vec<BreakpointId>),
    /// Sets a breakpoint at each function of the lists.
    EachFunction(Box<SymbolQuery>),
    /// Adds to a pending breakpoint the function that its misspelt name most likely means.
    NearestFunction(BreakpointId),
    Change(Vec<BreakpointId>, Change),
    /// Deletes the breakpoints at the place found, for these ranks (`None`: for all).
    Clear(LocationSpec, Option<ProcessSet>),
    /// Runs the block that follows from a condition.
    Decide(Condition, Target),
    /// Prints values in a format.
    Formatted(Box<PrintFormat>),
    /// Runs a line made of values in a format.
    Line(Box<PrintFormat>),
    /// Prints the value of an expression without its name.
    Output(String, PrintForm),
    /// Reports values, one for each distinct one.
    Value(String, PrintForm),
    /// Reports the values of these expressions; holds the number of a new one.
    Displays(Vec<(u32, Displayed)>, Option<u32>),
    /// Reports statistics of the values.
    Compare(String),
    /// Goes on with a snapshot.
    Snapshot(Box<Taking>),
    /// Finds the call that makes a grid of ranks in the stacks of a thread.
    CartesianCall(Option<ThreadId>),
    /// Arranges the ranks as a grid of the sizes that the call was given.
    CartesianSizes,
    /// Reports the numbers by which the ranks are coloured; holds the expression before.
    Colours(String, Option<String>),
    /// Reports statistics of arrays.
    Statistics(String),
    /// Reports the first pages of arrays.
    Array(String),
    /// Reports the elements of arrays that meet a condition.
    Found(String, ScanCondition),
    /// The expression was assigned to.
    Assigned(String),
    /// The settings are in effect.
    Configured,
    /// Opens the file in an editor at this line.
    Edit(Arc<str>, u32),
    /// The rules for finding sources are in effect.
    SourceRules,
    /// The printers are in effect.
    Printers,
    /// The ranks did what these words say to a user who typed it.
    Acknowledged(String),
    /// The text was written to the ranks' standard input.
    Sent,
    Type(String),
    /// Uses the depths of stacks.
    Depths(StackWish),
    Stacks(StackWish),
    /// Adds a look at running ranks.
    Sampled(Box<Sampling>),
    /// Finds out for whom ranks wait.
    Why(Box<Investigation>),
    /// Adds the arguments of frames.
    FrameArguments(Box<FramesToShow>),
    /// Adds the variables of the stacks' frames; these ranks have more frames.
    FrameVariables(Vec<SharedStack>, ProcessSet),
    /// Adds symbols to the contents, with `true` also to those in their values. The second part holds the addresses by
    /// content.
    Symbols(Vec<(Content, bool)>, Vec<(usize, Vec<u64>)>),
    /// Selects the user's frames in the stacks, and goes on with the command.
    UserFrames(Box<Awaited>),
    /// Selects frames of these levels.
    ChooseFrame(Move),
    /// Selects the innermost frame of this function, in the stack of a thread; holds true if it is not shown.
    ChooseFunction(String, Option<ThreadId>, bool),
    /// Runs a command for threads or frames; holds the thread of the frames.
    Apply(Apply, ApplyFlags, Option<ThreadId>, String),
    /// Reports the symbol at the address of an expression.
    SymbolAt(String),
    /// Reports the addresses of a line's code.
    CodeOf(Option<LocationSpec>),
    /// Reports the addresses of the first line of a function in the code around it.
    InlinedCode(LocationSpec, Vec<(ProcessSet, Vec<Instruction>)>),
    /// `$_` was set.
    Noted,
    Threads(Vec<ThreadId>),
    /// Runs the command for the threads of a group.
    EachThread(ThreadGroup),
    /// Reports this thread; `None`: each rank's current one.
    CurrentThread(Option<ThreadId>),
    /// Names this thread, or each rank's current one; without a name, removes its name.
    NameThread(Option<ThreadId>, Option<String>),
    /// Reports the threads whose names match a regular expression.
    FindThreads(String),
    /// Selects this thread.
    ChooseThread(ThreadId),
    Variables(Scope, VariableChoice),
    Registers,
    /// Makes this the focus if its thread exists.
    Focus(FocusScope, ProcessSet),
    /// Reports the memory at the address of an expression.
    Memory(MemoryFormat, String),
    /// Lists lines around the places of a location.
    Places(Listing),
    /// Lists the lines from this place up to the one that was requested.
    LastLine(LocationSpec, Target),
    /// Shows the line of a file that is found.
    Search(Box<LineSearch>),
    /// Lists the lines of a file.
    Lines {
        file: Arc<str>,
        first: u32,
        last: u32,
        center: Option<u32>,
    },
    Signals,
    /// Reports instructions without the first ones; for an `x` with its arguments.
    Instructions {
        skip: usize,
        examined: Option<MemoryFormat>,
        /// How they are shown.
        form: CodeForm,
    },
    /// Shows code with the text of its lines, once these files are known, by the index of the request.
    CodeText {
        code: Vec<(ProcessSet, Vec<Instruction>)>,
        form: CodeForm,
        files: Vec<Arc<str>>,
    },
    /// Those whose paths this regular expression is found in.
    Libraries(Option<String>),
    Limits,
    /// Reports what the program defines; `true`: without headings.
    SymbolList(Box<SymbolQuery>, bool),
    /// Reports the places of bytes.
    BytesFound {
        /// The user said how many at most.
        limited: bool,
    },
    ProcessFacts,
    CoreFiles,
    /// Writes data of ranks to files.
    Saving(Box<Saving>),
    /// Writes files to the memory of ranks.
    Restoring(Box<Restoring>),
    Queues,
    /// The engine that the ranks switch to, if they do.
    UnderEngine(Option<EngineName>),
    Told,
    EngineText,
}

/// A search for a line of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::core) struct LineSearch {
    pub(in crate::core) file: Arc<str>,
    /// The line next to which it begins.
    pub(in crate::core) from: u32,
    /// True to search for a later line.
    pub(in crate::core) forward: bool,
    /// The regular expression.
    pub(in crate::core) pattern: String,
    /// The ranks of the command.
    pub(in crate::core) ranks: ProcessSet,
}

/// A change of a breakpoint that was requested of the ranks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::core) enum Change {
    Delete,
    Enable(bool),
    EnableFor(Countdown),
    Condition(Option<String>),
    Ignore(u64),
}

/// The form of the stacks being requested.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::core) struct StackWish {
    pub(in crate::core) stacks: Stacks,
    pub(in crate::core) thread: Option<ThreadId>,
}

/// Frames that ranks share, to be shown with their variables.
pub(in crate::core) type SharedStack = (ProcessSet, Vec<Frame>);

/// Frames that are shown once their arguments are known.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::core) enum FramesToShow {
    /// Stacks, and the ranks that have more frames.
    Stacks(Vec<RankStack>, ProcessSet),
    /// Frames of their own; and of the ranks that have none, why.
    Frames(Vec<RankFrame>, Vec<(ProcessSet, String)>),
    /// The frames of stacks as the headings of a command that runs for each.
    Apply(AppliedLine),
}

/// A command that runs for each frame of stacks.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::core) struct AppliedLine {
    pub(in crate::core) stacks: Vec<RankStack>,
    pub(in crate::core) thread: Option<ThreadId>,
    pub(in crate::core) flags: ApplyFlags,
    pub(in crate::core) line: String,
}

/// A frame that ranks share, with its arguments if they are shown.
pub(in crate::core) type RankFrame = (ProcessSet, Frame, Option<ShownArguments>);

/// The frames that `frame`, `up` and `down` request, by the index of the request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::core) struct Move {
    pub(in crate::core) thread: Option<ThreadId>,
    /// From the first level to the second; the last existing one is selected.
    pub(in crate::core) levels: Vec<(u32, u32)>,
    /// True if they are not shown.
    pub(in crate::core) silent: bool,
}

/// The user's frames are awaited, of these ranks.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::core) struct Awaited {
    pub(in crate::core) ranks: ProcessSet,
    pub(in crate::core) thread: Option<ThreadId>,
    pub(in crate::core) onward: Onward,
}

/// The part of a command that goes on when its ranks have selected the user's frames.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::core) enum Onward {
    Prepare(Box<Invocation>),
    Ask(Vec<(ProcessSet, Operation)>, Box<Then>),
    /// Holds true if the frame is not shown.
    Move(ProcessSet, FrameMove, bool),
    /// Takes a snapshot of these ranks.
    Snapshot(ProcessSet, Box<Taking>),
    Plant(ProcessSet, BreakpointRequest),
    Resume {
        target: Target,
        operation: Operation,
        awaits: Awaits,
    },
}

/// A move of the selected frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::core) enum FrameMove {
    /// To this level; `None`: it stays, and is shown.
    To(Option<u32>),
    Up(u32),
    Down(u32),
}

impl FrameMove {
    /// Returns the levels to request, of which the last existing one is wanted; `None`: there is nowhere to go. As in
    /// gdb, `up` ends at the outermost frame.
    pub(in crate::core) fn from(self, own: u32) -> Option<(u32, u32)> {
        match self {
            Self::To(level) => Some((level.unwrap_or(own), level.unwrap_or(own))),
            Self::Up(n) => Some((own, own.saturating_add(n))),
            Self::Down(n) => (own > 0).then(|| (own.saturating_sub(n), own.saturating_sub(n))),
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::core) enum Listing {
    /// None: the file is opened in an editor.
    Edit,
    /// The lines around this one; `None`: around the first with code there.
    Around(Option<u32>),
    /// The lines from this one, or from the first with code there; optionally to a last one.
    From {
        /// The first line requested; `None`: that of the place.
        first: Option<u32>,
        /// The last line requested; `None`: by the size of a list.
        last: Option<ListEnd>,
    },
    /// The lines up to this one, or up to the first with code there.
    To(Option<u32>),
}
