//! The answers of ranks to operations, and the events they report.

use super::{
    Armed, ArrayFindings, ArrayPart, ArrayStatistics, BreakpointId, BytesFound, CoreFile, DataPart, Datum, EngineName,
    Failure, FindingsSum, Frame, FrameArguments, Instruction, LibraryEvents, MemoryPage, MergedStacks, MessageQueues,
    Observation, ObservedRanks, PictureAnswer, ProcessFacts, ResourceLimit, SignalInfo, SignalName, Site, SourcePlace,
    StatisticsSum, Stop, SymbolList, Termination, ThreadId, ThreadStacks, UserFrame, ValueSummary, Variable,
    VirtualAddress,
};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// A thread of a rank.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct ThreadInfo {
    /// Its number within the rank.
    pub id: ThreadId,
    /// True for the thread that commands use by default.
    pub current: bool,
    /// Its name (prctl(2) `PR_GET_NAME`).
    pub name: String,
    /// Its innermost frame; `None` while it runs.
    pub frame: Option<Frame>,
    /// The innermost frame of the user's code, if it is not its innermost frame.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub user: Option<UserFrame>,
}

/// A register and its content.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct RegisterValue {
    /// The name in the processor's manual, in lower case.
    pub name: String,
    /// The content, with its type.
    pub value: Datum,
}

/// A file mapped into a rank.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Library {
    /// The path as the loader has it.
    pub path: String,
    /// The load bias; `None` if it differs among the ranks.
    pub address: Option<VirtualAddress>,
    /// True if debug information was found.
    pub debug_information: bool,
}

/// The file that a source text comes from.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct SourceOrigin {
    /// Its path, if it is not where the program was compiled.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// The program or library that was built from another text of this name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub changed_since: Option<String>,
}

/// The answer of ranks to an operation.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Answer {
    /// The operation succeeded.
    Ok,
    /// The operation failed.
    Failed(Failure),
    /// A breakpoint's sites; none: pending.
    Breakpoint(BreakpointId, Vec<Site>),
    /// The state of a watchpoint or catchpoint.
    Armed(BreakpointId, Armed),
    /// Frames, innermost first.
    Stack(Vec<Frame>),
    /// The stacks of all threads of a rank.
    ThreadStacks(Box<ThreadStacks>),
    /// The stacks of many ranks, merged by the servers.
    MergedStacks(Box<MergedStacks>),
    /// The arguments of frames, innermost first. Those of ranks at the same frames are one answer.
    FrameArguments(Vec<FrameArguments>),
    /// The answers of several threads, equal ones merged.
    EachThread(Vec<ThreadsAnswer>),
    /// The number of frames.
    Depth(u32),
    /// The value of an expression.
    Data(Datum),
    /// The values of an expression on many ranks, summed up by the servers.
    Summary(Box<ValueSummary>),
    /// The numbers of an expression on many ranks, reduced to a picture by the servers.
    Picture(Box<PictureAnswer>),
    /// Statistics of the numbers of an array.
    Statistics(Box<ArrayStatistics>),
    /// Statistics of the arrays of many ranks, joined by the servers.
    StatisticsSum(Box<StatisticsSum>),
    /// The elements of an array that a search found.
    Found(ArrayFindings),
    /// The findings of a search in the arrays of many ranks, joined by the servers.
    FindingsSum(Box<FindingsSum>),
    /// A part of an array of numbers.
    Array(Box<ArrayPart>),
    /// A part of data for a file.
    DataPart(Box<DataPart>),
    /// A type in the syntax of the language.
    Type(String),
    /// Variables, or parameters, with their values.
    Variables(Vec<Variable>),
    /// The threads of a rank.
    Threads(Vec<ThreadInfo>),
    /// Bytes from an address; fewer than asked when the rest is not readable.
    Memory(VirtualAddress, Vec<u8>),
    /// A page of memory.
    MemoryPage(Box<MemoryPage>),
    /// True if the bytes have the digest that was asked about.
    MemoryAlike(bool),
    /// Registers and their contents.
    Registers(Vec<RegisterValue>),
    /// Signals and their dispositions.
    Signals(Vec<SignalInfo>),
    /// The source lines of a location.
    Places(Vec<SourcePlace>),
    /// The text of a source file.
    Source {
        /// The name in the request.
        file: String,
        /// The whole text.
        text: Arc<str>,
        /// The file that the text comes from.
        #[serde(default)]
        origin: SourceOrigin,
    },
    /// The loaded files, and the counts of library events.
    Libraries(Vec<Library>, LibraryEvents),
    /// The limits on resources.
    Limits(Vec<ResourceLimit>),
    /// Instructions, in the order of their addresses.
    Instructions(Vec<Instruction>),
    /// The state of a thread.
    Observed(Box<Observation>),
    /// The states of threads of many ranks, joined by the servers.
    ObservedRanks(Box<ObservedRanks>),
    /// Functions, variables, types or source files.
    SymbolList(Box<SymbolList>),
    /// The places at which bytes were found.
    BytesFound(BytesFound),
    /// What the kernel knows of the process.
    ProcessFacts(Box<ProcessFacts>),
    /// The symbols at addresses, in the order of the request; `None` for an address without one.
    Names(Vec<Option<String>>),
    /// A core file was written.
    CoreWritten(CoreFile),
    /// The message queues of the MPI.
    MessageQueues(Box<MessageQueues>),
    /// Output of the engine.
    Text(String),
    /// The engine that debugs these ranks.
    UnderEngine(EngineName),
}

/// An answer that several threads of a rank share.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct ThreadsAnswer {
    /// The threads with this answer.
    pub threads: Vec<ThreadId>,
    /// Their common answer.
    pub answer: Answer,
}

/// An output stream of a rank.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Stream {
    /// File descriptor 1.
    Stdout,
    /// File descriptor 2.
    Stderr,
}

/// The severity of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// For information only.
    Note,
    /// Something works with restrictions.
    Warning,
    /// Something does not work.
    Error,
}

/// An event that ranks report.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Event {
    /// The rank is now under the debugger. Never merged between ranks.
    Acquired {
        /// The process id on the rank's host.
        pid: u32,
    },
    /// The rank runs again.
    Running,
    /// All threads stopped.
    Stopped(Stop),
    /// The process exited with this code.
    Exited(i32),
    /// A signal killed the process.
    Killed(Termination),
    /// The rank runs on without the debugger.
    Detached,
    /// Failed to start or attach; holds the reason.
    Failed(String),
    /// The rank is unreachable: its server is gone; holds the reason.
    Lost(String),
    /// Output of the program, in whole lines if the program writes whole lines.
    Output(Stream, String),
    /// A breakpoint's sites have changed (a library was loaded or unloaded, or the process called exec).
    BreakpointMoved(BreakpointId, Vec<Site>),
    /// The state of a watchpoint or catchpoint has changed.
    BreakpointArmed(BreakpointId, Armed),
    /// Libraries were loaded or unloaded; the rank waits for `Reevaluate`.
    LibrariesChanged {
        /// The paths of the loaded libraries.
        loaded: Vec<String>,
        /// The paths of the unloaded libraries.
        unloaded: Vec<String>,
    },
    /// A tracepoint was hit.
    Traced(Trace),
    /// Hits of a point without a stop for it: they were ignored, or the stop names another point. Reported at the next
    /// stop or at the end.
    Counted(BreakpointId, u64),
    /// The rank has deleted a point: a temporary one that was hit, or a watchpoint that ended.
    BreakpointGone(BreakpointId),
    /// A signal arrived whose disposition is to print but not to stop.
    SignalSeen(SignalName),
    /// Another engine now debugs the rank; `None`: the session's own engine again.
    UnderEngine(Option<EngineName>),
    /// The process called exec; holds the path of the new program.
    Executed(String),
    /// A message for the user.
    Message(Severity, String),
}

/// What each line and each report costs beside its text, in bytes.
const EACH: usize = 64;

/// A tracepoint's report of one hit.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Trace {
    /// The tracepoint.
    pub id: BreakpointId,
    /// The thread that hit it.
    pub thread: ThreadId,
    /// The frame that hit it.
    pub frame: Frame,
    /// The values of the tracepoint's expressions.
    pub values: Vec<Variable>,
}

impl Answer {
    /// The answer to a request for a page of memory, or for its comparison with a digest.
    pub fn of_page(page: MemoryPage, compared: Option<u64>) -> Self {
        let offset = page.start.0.wrapping_sub(page.base.0) as i64;
        match compared {
            Some(digest) => Self::MemoryAlike(page.digest(offset, page.bytes.len()) == digest),
            None => Self::MemoryPage(Box::new(page)),
        }
    }

    /// The answer that stands for those of two ranks, if there is one: they are equal but for load addresses, and for
    /// the values of arguments.
    pub fn joined(&self, other: &Self) -> Option<Self> {
        if self == other {
            return Some(self.clone());
        }
        let plain = self.without_addresses();
        if plain != other.without_addresses() {
            return None;
        }
        Some(match (self, other) {
            (Self::FrameArguments(frames), Self::FrameArguments(others)) => {
                let mut frames = frames.clone();
                frames.iter_mut().zip(others).for_each(|(own, also)| own.keep_shared(also));
                Self::FrameArguments(frames)
            }
            (Self::EachThread(said), Self::EachThread(others)) => {
                let both = said.iter().zip(others).filter_map(|(own, also)| {
                    Some(ThreadsAnswer { threads: own.threads.clone(), answer: own.answer.joined(&also.answer)? })
                });
                Self::EachThread(both.collect())
            }
            _ => plain,
        })
    }

    /// The same answer without load addresses, for comparing ranks whose addresses are randomised; arguments are
    /// without their values, in which ranks differ.
    pub fn without_addresses(&self) -> Self {
        match self {
            Self::Breakpoint(id, sites) => Self::Breakpoint(*id, sites.iter().map(Site::without_address).collect()),
            Self::Stack(frames) => Self::Stack(frames.iter().map(Frame::without_address).collect()),
            Self::ThreadStacks(stacks) => Self::ThreadStacks(Box::new(stacks.without_address())),
            Self::FrameArguments(frames) => {
                Self::FrameArguments(frames.iter().map(FrameArguments::without_values).collect())
            }
            Self::EachThread(said) => {
                let bare = |said: &ThreadsAnswer| {
                    let (threads, answer) = (said.threads.clone(), said.answer.without_addresses());
                    ThreadsAnswer { threads, answer }
                };
                Self::EachThread(said.iter().map(bare).collect())
            }
            Self::Threads(threads) => Self::Threads(
                threads
                    .iter()
                    .map(|t| ThreadInfo {
                        frame: t.frame.as_ref().map(Frame::without_address),
                        user: t.user.as_ref().map(UserFrame::without_address),
                        ..t.clone()
                    })
                    .collect(),
            ),
            Self::Instructions(instructions) => {
                Self::Instructions(instructions.iter().map(Instruction::without_address).collect())
            }
            Self::Libraries(libraries, events) => {
                let bare = libraries.iter().map(|l| Library { address: None, ..l.clone() });
                Self::Libraries(bare.collect(), *events)
            }
            Self::SymbolList(list) => Self::SymbolList(Box::new(list.without_addresses())),
            other => other.clone(),
        }
    }
}

impl Event {
    /// Returns the size of an event that ranks may report without end, and `None` for all others. When texts are cut or
    /// joined, or load addresses left out, the sum of the sizes stays the same.
    pub fn endless_bytes(&self) -> Option<usize> {
        match self {
            Self::Output(_, text) => Some(text.len() + EACH * text.bytes().filter(|byte| *byte == b'\n').count()),
            Self::Traced(trace) => Some(4 * EACH + trace.values.iter().map(Variable::bytes).sum::<usize>()),
            Self::SignalSeen(_) => Some(2 * EACH),
            Self::Executed(program) => Some(2 * EACH + program.len()),
            _ => None,
        }
    }

    /// The event that stands for those of two ranks, if there is one: they are equal but for load addresses.
    pub fn joined(&self, other: &Self) -> Option<Self> {
        if self == other {
            return Some(self.clone());
        }
        let plain = self.without_addresses();
        (plain == other.without_addresses()).then_some(plain)
    }

    /// The same event without load addresses.
    pub fn without_addresses(&self) -> Self {
        match self {
            Self::Stopped(stop) => Self::Stopped(stop.without_addresses()),
            Self::Traced(trace) => Self::Traced(Trace { frame: trace.frame.without_address(), ..trace.clone() }),
            Self::BreakpointMoved(id, sites) => {
                Self::BreakpointMoved(*id, sites.iter().map(Site::without_address).collect())
            }
            other => other.clone(),
        }
    }
}
