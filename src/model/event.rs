//! What ranks answer, and what they report unasked.

use super::{
    Armed, BreakpointId, Datum, EngineName, Failure, Frame, Instruction, LibraryEvents, SignalInfo, SignalName, Site,
    SourcePlace, Stop, ThreadId, Variable, VirtualAddress,
};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// A thread of a rank.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct ThreadInfo {
    /// Its number in the rank.
    pub id: ThreadId,
    /// The one commands mean when they name none.
    pub current: bool,
    /// Its name (prctl(2) `PR_GET_NAME`).
    pub name: String,
    /// Where it is; `None` while it runs.
    pub frame: Option<Frame>,
}

/// A register and its content.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct RegisterValue {
    /// As the processor's manual names it, lower case.
    pub name: String,
    /// Its content.
    pub value: Datum,
}

/// A file mapped into a rank.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Library {
    /// As the loader names it.
    pub path: String,
    /// Load bias; `None` when the ranks spoken for differ in it.
    pub address: Option<VirtualAddress>,
    /// Whether debug information was found.
    pub debug_information: bool,
}

/// What ranks answer to an operation.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Answer {
    /// Done.
    Ok,
    /// Not done.
    Failed(Failure),
    /// What a breakpoint became.
    Breakpoint(BreakpointId, Vec<Site>),
    /// How a point that is no place waits.
    Armed(BreakpointId, Armed),
    /// Frames, innermost first.
    Stack(Vec<Frame>),
    /// What threads say that were asked together.
    EachThread(Vec<ThreadsAnswer>),
    /// Number of frames.
    Depth(u32),
    /// A value.
    Data(Datum),
    /// A type in the language's spelling.
    Type(String),
    /// Named values.
    Variables(Vec<Variable>),
    /// Threads.
    Threads(Vec<ThreadInfo>),
    /// Bytes from an address; fewer than asked when the rest is not readable.
    Memory(VirtualAddress, Vec<u8>),
    /// Registers.
    Registers(Vec<RegisterValue>),
    /// Signals and what happens on them.
    Signals(Vec<SignalInfo>),
    /// Places of a location.
    Places(Vec<SourcePlace>),
    /// The text of a file.
    Source {
        /// As asked.
        file: String,
        /// The text.
        text: Arc<str>,
    },
    /// Loaded files, and what became of the events that brought them.
    Libraries(Vec<Library>, LibraryEvents),
    /// Instructions, in the order of their addresses.
    Instructions(Vec<Instruction>),
    /// What is at addresses, in the order they were asked for.
    Names(Vec<Option<String>>),
    /// Words of the back end.
    Text(String),
    /// Who debugs these ranks.
    UnderEngine(EngineName),
}

/// What some threads of a rank answer, all of them the same.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct ThreadsAnswer {
    /// Which.
    pub threads: Vec<ThreadId>,
    /// What.
    pub answer: Answer,
}

/// Which of its outputs a rank wrote to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Stream {
    /// File descriptor 1.
    Stdout,
    /// File descriptor 2.
    Stderr,
}

/// How much a message matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// Good to know.
    Note,
    /// Something works less well.
    Warning,
    /// Something does not work.
    Error,
}

/// What ranks report unasked.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Event {
    /// Under the debugger from now on; process id on its host. Not merged between ranks.
    Acquired {
        /// The process id.
        pid: u32,
    },
    /// Executing again.
    Running,
    /// All threads stopped.
    Stopped(Stop),
    /// Ended by itself.
    Exited(i32),
    /// Ended by a signal.
    Killed(SignalName),
    /// Let go.
    Detached,
    /// It could not be started, or not be come by; why.
    Failed(String),
    /// Out of reach: its server is gone.
    Lost(String),
    /// Something written. Whole lines where the program writes them.
    Output(Stream, String),
    /// A breakpoint has other sites now (a library came or went, an exec).
    BreakpointMoved(BreakpointId, Vec<Site>),
    /// A point that is no place waits otherwise now.
    BreakpointArmed(BreakpointId, Armed),
    /// Libraries came or went; the rank waits for `Reevaluate`.
    LibrariesChanged {
        /// Those that came.
        loaded: Vec<String>,
        /// Those that went.
        unloaded: Vec<String>,
    },
    /// A tracepoint was passed.
    Traced(Trace),
    /// So many arrivals at a point count without a stop that names it: they were passed over, or another point named
    /// the reason. Told at the next stop, or the end.
    Counted(BreakpointId, u64),
    /// A temporary breakpoint has done its work.
    BreakpointGone(BreakpointId),
    /// A signal whose disposition says print but not stop.
    SignalSeen(SignalName),
    /// Another engine than the session's own debugs the rank from now on; `None`: its own again.
    UnderEngine(Option<EngineName>),
    /// The process became another program.
    Executed(String),
    /// Words for the user.
    Message(Severity, String),
}

/// What a tracepoint saw.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Trace {
    /// Which.
    pub id: BreakpointId,
    /// The thread that came by.
    pub thread: ThreadId,
    /// Where.
    pub frame: Frame,
    /// The values asked for.
    pub values: Vec<Variable>,
}

impl Answer {
    /// The same answer with nothing said of load addresses: what is compared when the ranks' addresses are randomised.
    pub fn without_addresses(&self) -> Self {
        match self {
            Self::Breakpoint(id, sites) => Self::Breakpoint(*id, sites.iter().map(Site::without_address).collect()),
            Self::Stack(frames) => Self::Stack(frames.iter().map(Frame::without_address).collect()),
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
                    .map(|t| ThreadInfo { frame: t.frame.as_ref().map(Frame::without_address), ..t.clone() })
                    .collect(),
            ),
            Self::Instructions(instructions) => {
                Self::Instructions(instructions.iter().map(Instruction::without_address).collect())
            }
            Self::Libraries(libraries, events) => {
                let bare = libraries.iter().map(|l| Library { address: None, ..l.clone() });
                Self::Libraries(bare.collect(), *events)
            }
            other => other.clone(),
        }
    }
}

impl Event {
    /// The same event with nothing said of load addresses.
    pub fn without_addresses(&self) -> Self {
        match self {
            Self::Stopped(stop) => Self::Stopped(Stop { frame: stop.frame.without_address(), ..stop.clone() }),
            Self::Traced(trace) => Self::Traced(Trace { frame: trace.frame.without_address(), ..trace.clone() }),
            Self::BreakpointMoved(id, sites) => {
                Self::BreakpointMoved(*id, sites.iter().map(Site::without_address).collect())
            }
            other => other.clone(),
        }
    }
}
