//! rankscope's own messages as values. What crosses a link is one of these; `codec` gives each its id and spelling.

use model::{
    Answer, Breakpoint, Event, LaunchSpec, Operation, ProcessSet, ProcessState, Rank, Severity, TransactionId,
};
use serde::{Deserialize, Serialize};

/// When a request counts as answered (wire, section 5).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum WaitPolicy {
    /// When all ranks have answered.
    #[default]
    All,
    /// With the first answer.
    First,
    /// When all have, or after this many milliseconds with what there is.
    Within(u32),
}

/// Down: front end → master → servers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Request {
    /// Asked of ranks.
    Ranks {
        /// Names the request in its replies.
        tid: TransactionId,
        /// Who is asked; never empty.
        ranks: ProcessSet,
        /// How long to wait for them.
        wait: WaitPolicy,
        /// What.
        operation: Operation,
    },
    /// Asked of the master.
    Session {
        /// Names the request in its replies.
        tid: TransactionId,
        /// What.
        command: SessionCommand,
    },
}

impl Request {
    /// Whether it is the end of the session.
    pub fn is_quit(&self) -> bool {
        matches!(self, Self::Session { command: SessionCommand::Quit { .. }, .. })
    }
}

/// Up: servers → master → front end.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Reply {
    /// What ranks answered. A request is complete when answers and `missing` together cover the ranks asked.
    Answer {
        /// Of the request.
        tid: TransactionId,
        /// Who says this.
        ranks: ProcessSet,
        /// Who was asked and has not answered by now.
        missing: ProcessSet,
        /// Sent after the request had been given up on.
        late: bool,
        /// What they say.
        answer: Answer,
    },
    /// Nobody answered in time, or what is still missing after the answers given.
    Missing {
        /// Of the request.
        tid: TransactionId,
        /// Who has not answered.
        ranks: ProcessSet,
    },
    /// Reported unasked.
    Event {
        /// Of the last run-control request of these ranks.
        tid: TransactionId,
        /// Who.
        ranks: ProcessSet,
        /// What.
        event: Event,
    },
    /// From the master itself.
    Session {
        /// Of the request it belongs to; 0 when unasked.
        tid: TransactionId,
        /// What.
        event: SessionEvent,
    },
}

/// How a job is to be started.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum LaunchPlan {
    /// N copies on this host.
    Local {
        /// How many, at least 1.
        ranks: u32,
        /// What.
        spec: LaunchSpec,
    },
    /// Copies on hosts that are reached by ssh.
    Hosts {
        /// Each with its number of copies; ranks are numbered in this order.
        hosts: Vec<(String, u32)>,
        /// What.
        spec: LaunchSpec,
    },
    /// By a launcher whose command line has the joiner in front of the program already; `{join}` stands for the
    /// joiner's own words, which the master fills in.
    Joined {
        /// The launcher and all its words; the word `{join}` is replaced by the joiner and its arguments.
        command: Vec<String>,
        /// Directory, first stop and randomisation hold; program and arguments are for display.
        spec: LaunchSpec,
    },
    /// By a launcher that says itself which processes it started (MPIR); it runs under the debugger, too.
    Starter {
        /// The launcher and all its words.
        command: Vec<String>,
        /// Directory and first stop hold; program and arguments are for display.
        spec: LaunchSpec,
    },
    /// What runs already.
    Attach {
        /// What.
        target: AttachTarget,
        /// First stop; program and arguments are for display.
        spec: LaunchSpec,
    },
}

/// What is attached to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum AttachTarget {
    /// These processes of the master's host.
    Processes(Vec<i32>),
    /// The job of this launcher on the master's host.
    Starter(i32),
    /// A Slurm job, as `squeue` names it; with `.STEP` one step of it.
    SlurmJob(String),
}

impl LaunchPlan {
    /// What is debugged, as a command line that a person knows it by.
    pub fn words(&self) -> Vec<String> {
        match self {
            Self::Joined { command, .. } | Self::Starter { command, .. } => {
                command.iter().filter(|word| *word != "{join}").cloned().collect()
            }
            Self::Local { spec, .. } | Self::Hosts { spec, .. } | Self::Attach { spec, .. } => {
                [&spec.program].into_iter().chain(&spec.arguments).cloned().collect()
            }
        }
    }

    /// What is started.
    pub fn spec_mut(&mut self) -> &mut LaunchSpec {
        match self {
            Self::Local { spec, .. }
            | Self::Hosts { spec, .. }
            | Self::Joined { spec, .. }
            | Self::Starter { spec, .. }
            | Self::Attach { spec, .. } => spec,
        }
    }

    /// Whether its ranks are started for the session, so that they can be started again.
    pub fn starts(&self) -> bool {
        !matches!(self, Self::Attach { .. })
    }
}

/// By how much output counts while it is under way: bytes times ranks, which joining equal lines does not change.
pub fn output_weight(ranks: &ProcessSet, text: &str) -> u64 {
    ranks.len() as u64 * text.len() as u64
}

impl Reply {
    /// [`output_weight`] of output, 0 of anything else.
    pub fn output_weight(&self) -> u64 {
        match self {
            Self::Event { ranks, event: Event::Output(_, text), .. } => output_weight(ranks, text),
            _ => 0,
        }
    }
}

/// Asked of the master.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum SessionCommand {
    /// Start the job. Answered by `Session` when all ranks are there, or `Failed`.
    Launch(LaunchPlan),
    /// Kill the job and start it again with the breakpoints it has. Answered as `Launch`.
    Restart,
    /// Everything a new front end must know. Answered by `State`.
    Replay,
    /// This front end wants the session, whoever has it when `take` is set. Answered by `Joined` or `Failed`.
    Join {
        /// Take it from another.
        take: bool,
    },
    /// What the next front end is to know of this one, given to it with `State`; not answered.
    Keep {
        /// In words of the front end's own.
        memory: String,
        /// Seconds for which a session stays that nobody looks at and in which no rank lives.
        linger: u32,
    },
    /// So much output was taken, by [`output_weight`]; not answered.
    OutputTaken(u64),
    /// End of the session: `kill` ends the ranks, otherwise they are let go. Answered by `Ended`, then the link closes.
    Quit {
        /// Kill the ranks, or detach from them.
        kill: bool,
    },
}

/// A rank as the master knows it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct JobRank {
    /// Which.
    pub rank: Rank,
    /// Its host.
    pub host: String,
    /// Its process id there; 0 when not known.
    pub pid: u32,
}

/// From the master itself.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum SessionEvent {
    /// The job is there: all its ranks, each under a server. Their first stops come as events.
    Session {
        /// For `resume`.
        session: String,
        /// Ranks of the job.
        size: u32,
        /// Which ranks are on which host.
        hosts: Vec<(String, ProcessSet)>,
    },
    /// On the way to it.
    Progress(String),
    /// The request could not be carried out; why. What a launcher said of it came before, as [`Self::LauncherOutput`].
    Failed(String),
    /// The launcher wrote something that is not a rank's output.
    LauncherOutput(String),
    /// The launcher ended.
    LauncherExited(i32),
    /// Words for the user.
    Message(Severity, String),
    /// The whole state.
    State {
        /// Breakpoints of the session.
        breakpoints: Vec<Breakpoint>,
        /// States, by ranks that share one.
        states: Vec<(ProcessSet, ProcessState)>,
        /// Where they are.
        ranks: Vec<JobRank>,
        /// What the last front end had kept for the next.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        kept: Option<String>,
    },
    /// The front end has the session.
    Joined,
    /// Another front end has the session from now on: this one hears no more.
    Taken,
    /// The session is over.
    Ended,
}

/// A server of the tree, 0…N-1; the master has N (wire, section 6).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ServerIndex(pub u32);

/// Between the nodes of the tree, downwards.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum TreeDown {
    /// Pass on and act.
    Request(Request),
    /// Start these ranks on the addressed server.
    Launch {
        /// Who.
        server: ServerIndex,
        /// First rank.
        first: Rank,
        /// How many.
        count: u32,
        /// Of how many in the job.
        size: u32,
        /// What.
        spec: LaunchSpec,
    },
    /// The addressed server attaches to these processes of its host.
    Attach {
        /// Who.
        server: ServerIndex,
        /// The number each gets, and its process id.
        processes: Vec<(Rank, i32)>,
        /// Ranks of the job.
        size: u32,
        /// A stop signal holds them for us, before their first instruction.
        held: bool,
        /// First stop and settings.
        spec: LaunchSpec,
    },
    /// To whom to go: own parent first, then its parent, … the master last; `host:port`.
    Ancestors {
        /// Whose.
        server: ServerIndex,
        /// Addresses with their server index.
        path: Vec<(ServerIndex, String)>,
    },
    /// The addressed server dials these, which are its children from then on.
    Children {
        /// Who.
        server: ServerIndex,
        /// Addresses with their server index.
        children: Vec<(ServerIndex, String)>,
    },
    /// Orderly end: kill or let go of the ranks, tell the children, then end.
    Shutdown {
        /// Kill the ranks.
        kill: bool,
    },
    /// So much output was taken, by [`output_weight`].
    OutputTaken(u64),
}

/// Between the nodes of the tree, upwards.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum TreeUp {
    /// Pass on, merged.
    Reply(Reply),
    /// First word of a server: who it is and where its children find it.
    Here {
        /// Who.
        server: ServerIndex,
        /// Its host's name.
        host: String,
        /// `host:port` for its children.
        address: String,
        /// Ranks it has already, and those below it (when it comes back after its parent was lost).
        ranks: ProcessSet,
    },
    /// Ranks came under this server.
    Acquired {
        /// Whose.
        server: ServerIndex,
        /// Which, with process ids.
        ranks: Vec<JobRank>,
        /// Ranks of the whole job, as the launcher says.
        size: u32,
    },
    /// A launch or acquisition failed on a server.
    LaunchFailed {
        /// Whose.
        server: ServerIndex,
        /// What, where, what to do.
        message: String,
    },
    /// The link to a child is gone.
    ServerLost {
        /// Who.
        server: ServerIndex,
        /// How it was noticed.
        message: String,
    },
    /// The subtree is down; the link closes.
    Down,
}
