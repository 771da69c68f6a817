//! Where ranks are, and for whom they wait there as far as it is known.

use model::{ProcessSet, SourcePlace, ThreadId};
use std::sync::Arc;

/// Ranks that are in the same place for the same reason.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Situation {
    /// The ranks.
    pub ranks: ProcessSet,
    /// The place in the user's code.
    pub place: Place,
    /// The reason.
    pub doing: Doing,
    /// How it is known.
    pub source: Source,
    /// The source text of the place, as far as arguments of the call are needed.
    pub text: Text,
}

/// The source text of a call.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Text {
    /// Read, or not needed.
    #[default]
    Read,
    /// The file cannot be read, or the call is not on the line.
    Missing,
    /// It is newer than the program, and may not be what was compiled.
    Newer,
}

/// The best source of the arguments of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Source {
    /// None: only the name of the called function is known.
    Call,
    /// The text of the call, evaluated in the caller's frame.
    Text,
    /// The compiler's description of the call (DWARF 5, 3.4), or the arguments on the stack.
    CallSite,
    /// The MPI's own queue library, for the communicator; the rest as `Text` or `CallSite`.
    Queues,
}

impl Source {
    /// The word for it in batch output.
    pub fn word(self) -> &'static str {
        match self {
            Self::Call => "call",
            Self::Text => "text",
            Self::CallSite => "call-site",
            Self::Queues => "queues",
        }
    }
}

/// A place in the user's code.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Place {
    /// The function of a library that was called from there; `None` in the user's code itself.
    pub call: Option<Arc<str>>,
    /// The user's function.
    pub function: Option<Arc<str>>,
    /// The line.
    pub source: Option<SourcePlace>,
    /// The thread that is there if others of its rank wait for it; `None`: the one that the rank is looked at by.
    pub thread: Option<ThreadId>,
}

/// A communicator, as far as its members are known.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Communicator {
    /// `MPI_COMM_WORLD`: all ranks of the job.
    World,
    /// `MPI_COMM_SELF`.
    Itself,
    /// One whose members are unknown, by its name in the source; `None` if that is unknown, too.
    Other(Option<Arc<str>>),
    /// One whose members the MPI's own queue library knows. Peers are ranks of the job, not its own.
    Group {
        /// The name that the library has for it.
        name: Arc<str>,
        /// Ranks of the job, by their ranks in it.
        members: Arc<[u32]>,
    },
}

/// The other end of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Peer {
    /// This rank.
    Rank(u32),
    /// `MPI_ANY_SOURCE`.
    Any,
    /// `MPI_PROC_NULL`.
    Nobody,
    /// The argument could not be evaluated.
    Unknown,
}

/// The direction of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Direction {
    /// To the peer.
    Send,
    /// From the peer.
    Receive,
}

/// A message that a call sends or receives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Message {
    /// To or from the peer.
    pub direction: Direction,
    /// The other end.
    pub peer: Peer,
    /// The tag; `None` if it is unknown or `MPI_ANY_TAG`.
    pub tag: Option<i64>,
}

/// The activity of ranks.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Doing {
    /// They execute the user's code.
    Computing,
    /// They have stopped where the user wanted it, or by an error of theirs, in words such as `stopped at breakpoint 2`.
    Halted(Arc<str>),
    /// They are stopped and have not replied; in words, why they stopped.
    Silent(Arc<str>),
    /// They are not stopped; in words, why they cannot be, such as `in the kernel, in nfs_wait`.
    Running(Option<Arc<str>>),
    /// They have ended, in words such as `has exited with code 0`.
    Ended(Arc<str>),
    /// They are in a function of input or output; in words, on what.
    Io(Option<Arc<str>>),
    /// They wait for another thread or process; in words, for which.
    Lock(Option<Arc<str>>),
    /// They are in another library.
    Library,
    /// They are in a collective operation.
    Collective {
        /// The members that have to take part.
        communicator: Communicator,
        /// The root as far as the operation has one and it is known.
        root: Option<i64>,
    },
    /// They are sending or receiving.
    Messages {
        /// The communicator in which peers are ranks.
        communicator: Communicator,
        /// The messages that the call completes, all of them.
        messages: Vec<Message>,
    },
    /// They wait for requests, as in `MPI_Waitall`.
    Requests {
        /// The argument as far as it is known.
        text: Option<Arc<str>>,
        /// The messages on `MPI_COMM_WORLD` of the requests: some may be done. Empty if they are not known.
        messages: Vec<Message>,
    },
}

impl Doing {
    /// The messages that ranks wait for, and their communicator.
    pub(super) fn messages(&self) -> Option<(&Communicator, &[Message])> {
        match self {
            Self::Messages { communicator, messages } => Some((communicator, messages)),
            Self::Requests { messages, .. } => Some((&Communicator::World, messages)),
            _ => None,
        }
    }
}
