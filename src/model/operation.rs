//! The operations on ranks. The engines perform them, the wire carries them unchanged.

use crate::{
    Answer, ArgumentDetail, ArrayLook, BreakpointId, BreakpointRequest, CodeEnd, Context, DataSource,
    DisassemblyFlavor, EngineName, Examination, FunctionLine, Inquiry, LocationSpec, MemorySearch, Point, PrintOptions,
    ProcessPart, RankCells, RunSettings, ScanCondition, SignalName, StepKind, SymbolQuery, ThreadId, TypeDetail,
    VirtualAddress,
};
use serde::{Deserialize, Serialize};

/// An operation on ranks.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Operation {
    /// Answer: `Breakpoint` (no sites: pending); for watchpoints and catchpoints `Armed`.
    SetBreakpoint(BreakpointRequest),
    /// Answer: `Ok`.
    DeleteBreakpoint(BreakpointId),
    /// Answer: `Ok`.
    EnableBreakpoint(BreakpointId, bool),
    /// `None` removes the condition. Answer: `Ok`; an expression that cannot be parsed is an error.
    SetCondition(BreakpointId, Option<String>),
    /// Hits to ignore. Answer: `Ok`.
    SetIgnore(BreakpointId, u64),
    /// Continue every thread, or with scheduler locking only the one that stopped. Answer: `Ok`, later events.
    Go,
    /// As `Go`, but with scheduler locking continues this thread. Answer: `Ok`, later events.
    GoWith(ThreadId),
    /// Answer: `Ok`, later a stop event with `Step` or `Finished`, or with the reason that ended the step early.
    Step {
        /// How far to step.
        kind: StepKind,
        /// Repetitions; 0 counts as 1.
        count: u32,
        /// The thread, and the frame to leave or whose line to leave. Steps by instructions begin in the innermost one.
        context: Context,
    },
    /// Run to a location in the frame, or until the frame returns. Answer: `Ok`, later a stop with `Step`.
    Until(LocationSpec, Context),
    /// As `Until`, but to a location in any frame.
    Advance(LocationSpec, Context),
    /// Continue at a location in the function, or at any address. Answer: `Ok`, later events.
    Jump(LocationSpec, Context),
    /// Return from the frame at once; the expression, if given, is the return value. Answer: `Ok`, later a `Step` stop.
    Return(Option<String>, Context),
    /// Stop running ranks. Answer: `Ok`; they then report a stop with `Interrupted`. Stopped ranks are not affected.
    Interrupt,
    /// Kill the process with SIGKILL. Answer: `Ok`, later `Killed`.
    Terminate,
    /// Remove all breakpoints and detach. Answer: `Ok`, later `Detached`.
    Detach,
    /// Continue and deliver this signal instead of the one that stopped the thread; `None`: no signal. Answer: `Ok`.
    Signal(Option<SignalName>),
    /// Deliver this signal to a thread (`None`: the one that stopped) when it continues, instead of the one that stopped
    /// it; no name: none. Answer: `Ok`; a signal that is not passed to the program is an error.
    QueueSignal(Option<ThreadId>, Option<SignalName>),
    /// Change the disposition of a signal; a part that is `None` stays. Answer: `Signals` with the new row.
    HandleSignal {
        /// The signal.
        name: SignalName,
        /// True to stop the rank.
        stop: Option<bool>,
        /// True to report the signal.
        print: Option<bool>,
        /// True to deliver the signal to the program.
        pass: Option<bool>,
    },
    /// List one signal, or all. Answer: `Signals`.
    ListSignals(Option<SignalName>),
    /// Frames `low` to `high` of a thread. Answer: `Stack`, or `MergedStacks`.
    Stack {
        /// `None`: the thread that stopped.
        thread: Option<ThreadId>,
        /// The first level, 0 the innermost.
        low: u32,
        /// The last level; `None`: to the end of the stack.
        high: Option<u32>,
        /// More different stacks than this are merged to a tree on their way to the front end; the answer is
        /// `MergedStacks` then. `None`: each is passed on.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        most: Option<u32>,
    },
    /// The stacks of all threads. Answer: `ThreadStacks`, or `MergedStacks`.
    ThreadStacks {
        /// The last level that is read of each; `None`: to the end of the stack.
        high: Option<u32>,
        /// More different answers than this are merged to a tree on their way to the front end; the answer is
        /// `MergedStacks` then.
        most: Option<u32>,
    },
    /// Look at the stacks of ranks that may be running: these are stopped for a moment, of which nobody is told, and go on
    /// as before; a step in progress is not ended. The operation is `Stack` or `ThreadStacks`, as is the answer.
    Sample(Box<Operation>),
    /// The arguments of frames. Answer: `FrameArguments`, without the frames that a limit has left out.
    FrameArguments {
        /// `None`: the thread that stopped.
        thread: Option<ThreadId>,
        /// The first and the last level of each run of frames, ascending.
        levels: Vec<(u32, u32)>,
        /// What is read of them.
        detail: ArgumentDetail,
    },
    /// The frame whose stack address an expression gives. Answer: `Stack`, with that frame.
    FrameAt(Context, String),
    /// The number of frames of a thread; `None`: the thread that stopped. Answer: `Depth`.
    StackDepth(Option<ThreadId>),
    /// One operation for many threads, in turn. Answer: `EachThread`. Threads missing from it must be asked again: at
    /// most [`Self::MOST_THREADS`] answer at once, and fewer if their answers are large or slow.
    EachThread {
        /// The threads, in order.
        threads: Vec<ThreadId>,
        /// The operation, without a thread; one that [`Self::of_thread`] accepts.
        operation: Box<Operation>,
    },
    /// Evaluate an expression; it may assign. Answer: `Data`.
    Evaluate {
        /// The frame in which names are looked up.
        context: Context,
        /// In the language of the frame.
        expression: String,
    },
    /// As `Evaluate`, but records the value in the value history: `$`, `$$`, `$3`. Answer: `Data`.
    Print {
        /// The frame in which names are looked up.
        context: Context,
        /// In the language of the frame.
        expression: String,
        /// True to show the members of a library's containers instead of their contents.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        raw: bool,
        /// Limits on the output; `None`: those of the settings.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        limits: Option<PrintOptions>,
        /// True to leave the value out of the value history.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        unrecorded: bool,
        /// More different values than this are summed up on their way to the front end; the answer is `Summary` then.
        /// `None`: each is an answer.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        most: Option<u32>,
        /// The values are reduced to a picture of these cells on their way to the front end; the answer is `Picture` then.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        picture: Option<RankCells>,
    },
    /// The value history of the session has this many values: those that the rank lacks are of commands for others.
    /// Answer: `Ok`.
    ReachHistory(u32),
    /// Statistics of the numbers of an array. Answer: `Statistics`.
    Statistics {
        /// The frame in which names are looked up.
        context: Context,
        /// In the language of the frame.
        expression: String,
        /// More different statistics than this are joined on their way to the front end; the answer is `StatisticsSum`
        /// then. `None`: each is an answer.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        most: Option<u32>,
    },
    /// Search the numbers of an array. Answer: `Found`.
    Scan {
        /// The frame in which names are looked up.
        context: Context,
        /// In the language of the frame.
        expression: String,
        /// The condition that elements meet.
        condition: ScanCondition,
        /// More different findings than this are joined on their way to the front end; the answer is `FindingsSum` then.
        /// `None`: each is an answer.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        most: Option<u32>,
    },
    /// Look at a part of an array of numbers, for a view. Answer: `Array`.
    Array {
        /// The frame in which names are looked up.
        context: Context,
        /// In the language of the frame.
        expression: String,
        /// The part.
        look: Box<ArrayLook>,
    },
    /// Read a part of data for a file; nothing is evaluated that changes something. Answer: `DataPart`.
    ReadData {
        /// The frame in which names are looked up.
        context: Context,
        /// The data.
        source: DataSource,
        /// The first byte to read.
        from: u64,
        /// The number of bytes to read; 0 to learn only the shape.
        length: u32,
    },
    /// The type of an expression or of a type name, without evaluating it. Answer: `Type`.
    TypeOf {
        /// The frame in which names are looked up.
        context: Context,
        /// In the language of the frame.
        expression: String,
        /// How much of the type to show.
        detail: TypeDetail,
    },
    /// The variables of the frame, inner blocks first. Answer: `Variables`.
    Locals(Context),
    /// The parameters of the frame. Answer: `Variables`.
    Arguments(Context),
    /// The global variables that match a glob. Answer: `Variables`.
    Globals(String),
    /// The thread-local variables outside functions that match a glob, as a thread has them. Answer: `Variables`.
    ThreadLocals(Context, String),
    /// Answer: `Threads`.
    Threads,
    /// Read bytes from an address. Answer: `Memory`.
    ReadMemory {
        /// The frame in which names of the address expression are looked up.
        context: Context,
        /// An expression whose value is the address.
        address: String,
        /// Added to the address, in bytes.
        offset: i64,
        /// The number of bytes to read.
        length: u32,
        /// How `x` shows them; sets `$_` and `$__` to the last item. `None` if `x` did not ask.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        examined: Option<Examination>,
    },
    /// Read a page of memory, or compare one. Answer: `MemoryPage`, or `MemoryAlike`.
    MemoryPage {
        /// The frame in which names of the address expression are looked up.
        context: Context,
        /// An expression whose value is the address.
        address: String,
        /// Added to the address, in bytes.
        offset: i64,
        /// The number of bytes.
        length: u32,
        /// The digest to compare them with; `None` to read them.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        compared: Option<u64>,
    },
    /// Write bytes to an address. Answer: `Ok`.
    WriteMemory {
        /// The frame in which names of the address expression are looked up.
        context: Context,
        /// An expression whose value is the address.
        address: String,
        /// Added to the address, in bytes.
        offset: i64,
        /// The bytes to write.
        data: Vec<u8>,
    },
    /// The named registers; if none is named, all general registers. Answer: `Registers`.
    Registers(Context, Vec<String>),
    /// Disassemble from a location, or the whole function that contains it. Answer: `Instructions`.
    Disassemble {
        /// The frame in which names are looked up, and whose code is shown if no location is given.
        context: Context,
        /// The location; `None`: that of the frame.
        at: Option<LocationSpec>,
        /// The number of instructions; sets `$_` to the last. `None`: the whole function.
        count: Option<u32>,
        /// The syntax of the instructions.
        #[serde(default)]
        flavor: DisassemblyFlavor,
    },
    /// Disassemble a range of addresses. Answer: `Instructions`.
    DisassembleRange {
        /// The frame in which names are looked up.
        context: Context,
        /// An expression whose value is the first address.
        start: String,
        /// Where it ends.
        end: CodeEnd,
        /// The syntax of the instructions.
        #[serde(default)]
        flavor: DisassemblyFlavor,
    },
    /// The instructions before an address. Answer: `Instructions`.
    InstructionsBefore {
        /// The frame in which names are looked up.
        context: Context,
        /// An expression whose value is the address.
        address: String,
        /// The number of instructions.
        count: u32,
        /// True to end with the instruction at the address.
        through: bool,
        /// The syntax of the instructions.
        #[serde(default)]
        flavor: DisassemblyFlavor,
    },
    /// The instructions before and from an address on, whatever function they are in. Answer: `Instructions`.
    CodePage {
        /// The frame whose address is meant if none is given.
        context: Context,
        /// The address; `None`: that of the frame.
        at: Option<VirtualAddress>,
        /// The number of instructions before it.
        before: u32,
        /// The number of instructions from it on.
        count: u32,
        /// The syntax of the instructions.
        #[serde(default)]
        flavor: DisassemblyFlavor,
    },
    /// Observe by registers and kernel if a thread moves and for what it waits, also while it runs. Answer: `Observed`, or
    /// `ObservedRanks`: each rank has registers of its own.
    Observe(Context),
    /// List functions, variables, types or source files. Answer: `SymbolList`.
    ListSymbols(Context, Box<SymbolQuery>),
    /// Search memory for bytes; sets `$_` and `$numfound`. Answer: `BytesFound`.
    FindBytes(Context, Box<MemorySearch>),
    /// The symbols at these addresses: `main+4`. Answer: `Names`.
    Symbols(Vec<VirtualAddress>),
    /// Resolve a location to source lines. Answer: `Places`.
    Resolve(LocationSpec, Context, FunctionLine),
    /// Describe a frame in gdb's words. Answer: `Text`.
    Tell(Context, Inquiry),
    /// Read a source file on the rank's host. Answer: `Source`.
    Source(String),
    /// Replace the settings. Answer: `Ok`.
    Configure(RunSettings),
    /// Load the libraries of a reported event and set breakpoints in them; waiting ranks continue. Answer: `Ok`.
    Reevaluate,
    /// End queries in progress with the results so far: no client waits for them any more. Answer: `Ok`.
    StopLooking,
    /// List the loaded files. Answer: `Libraries`.
    Libraries,
    /// The limits on resources, of running ranks, too. Answer: `Limits`.
    Limits,
    /// What the kernel knows of the process, also while it runs. Answer: `ProcessFacts`.
    ProcessFacts(ProcessPart),
    /// Write a core file, `core.RANK`, into this directory, an absolute path on the rank's host. Answer: `CoreWritten`.
    WriteCore(String),
    /// Read the message queues of the MPI with its own queue library. Answer: `MessageQueues`.
    MessageQueues,
    /// Write to the standard input of the ranks, whole or not at all, and end the input if `end` is set. Answer: `Ok`.
    Send {
        /// The text, with its newline.
        text: String,
        /// True to end the input after the text.
        end: bool,
    },
    /// Pass a command to the engine unchanged. Answer: `Text`.
    Engine(String),
    /// Switch these stopped ranks to another engine. Answer: `UnderEngine`.
    UseEngine(EngineName),
    /// The engine that debugs these ranks. Answer: `UnderEngine`.
    WhichEngine,
}

impl Operation {
    /// The context in which names are looked up; `None` if the operation has none.
    pub fn context_mut(&mut self) -> Option<&mut Context> {
        match self {
            Self::SetBreakpoint(BreakpointRequest { point: Point::Watch(watch), .. }) => Some(&mut watch.context),
            Self::Step { context, .. }
            | Self::Until(_, context)
            | Self::Advance(_, context)
            | Self::Jump(_, context)
            | Self::Return(_, context)
            | Self::Evaluate { context, .. }
            | Self::Print { context, .. }
            | Self::Statistics { context, .. }
            | Self::Scan { context, .. }
            | Self::Array { context, .. }
            | Self::ReadData { context, .. }
            | Self::TypeOf { context, .. }
            | Self::Locals(context)
            | Self::Arguments(context)
            | Self::ThreadLocals(context, _)
            | Self::ReadMemory { context, .. }
            | Self::MemoryPage { context, .. }
            | Self::CodePage { context, .. }
            | Self::WriteMemory { context, .. }
            | Self::Registers(context, _)
            | Self::Disassemble { context, .. }
            | Self::DisassembleRange { context, .. }
            | Self::InstructionsBefore { context, .. }
            | Self::Resolve(_, context, _)
            | Self::Observe(context)
            | Self::ListSymbols(context, _)
            | Self::FindBytes(context, _)
            | Self::Tell(context, _)
            | Self::FrameAt(context, _) => Some(context),
            _ => None,
        }
    }

    /// The location that it names; `None` if it names none.
    pub fn location_mut(&mut self) -> Option<&mut LocationSpec> {
        match self {
            Self::SetBreakpoint(BreakpointRequest { point: Point::Place(location), .. })
            | Self::Until(location, _)
            | Self::Advance(location, _)
            | Self::Jump(location, _)
            | Self::Disassemble { at: Some(location), .. }
            | Self::Resolve(location, ..)
            | Self::Tell(_, Inquiry::Scope(location) | Inquiry::SourceAt(location)) => Some(location),
            _ => None,
        }
    }

    /// The number of different answers that the tree passes on each by itself; `None` if there is no such limit.
    pub fn most_different(&self) -> Option<u32> {
        /// More observations are joined.
        const MOST_OBSERVATIONS: u32 = 16;
        match self {
            Self::Print { most, .. }
            | Self::Statistics { most, .. }
            | Self::Scan { most, .. }
            | Self::Stack { most, .. }
            | Self::ThreadStacks { most, .. } => *most,
            Self::Sample(_) => self.sampled()?.most_different(),
            Self::Observe(_) => Some(MOST_OBSERVATIONS),
            _ => None,
        }
    }

    /// The cells of the picture to which the tree reduces the values; `None` if it passes them on.
    pub fn picture(&self) -> Option<RankCells> {
        if let Self::Print { picture, .. } = self { *picture } else { None }
    }

    /// True if it lets the ranks run.
    pub fn resumes(&self) -> bool {
        let elsewhere = matches!(self, Self::Until(..) | Self::Advance(..) | Self::Jump(..) | Self::Return(..));
        elsewhere || matches!(self, Self::Go | Self::GoWith(_) | Self::Step { .. } | Self::Signal(_))
    }

    /// True if the events that follow carry its transaction.
    pub fn is_run_control(&self) -> bool {
        self.resumes() || matches!(self, Self::Interrupt | Self::Terminate | Self::Detach)
    }

    /// The answer of a rank without a process: breakpoints may still be changed, for a restart. `None` if the operation
    /// needs a process.
    pub fn without_process(&self) -> Option<Answer> {
        match self {
            Self::SetBreakpoint(request) => Some(Answer::Breakpoint(request.id, Vec::new())),
            Self::DeleteBreakpoint(_)
            | Self::EnableBreakpoint(..)
            | Self::SetCondition(..)
            | Self::SetIgnore(..)
            | Self::Configure(_)
            | Self::Reevaluate
            | Self::StopLooking => Some(Answer::Ok),
            _ => None,
        }
    }
}
