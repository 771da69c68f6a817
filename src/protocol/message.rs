//! rankscope's own messages as values. A link carries one of these; `codec` gives each its id and encoding.

use model::{
    Answer, Breakpoint, Event, LaunchSpec, Operation, ProcessSet, ProcessState, Rank, Severity, StartChanges,
    TransactionId,
};
use serde::{Deserialize, Serialize};

/// The condition under which a request is complete (wire, section 5).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum WaitPolicy {
    /// When all ranks have replied.
    #[default]
    All,
    /// With the first reply.
    First,
    /// When all ranks have replied, or after this many milliseconds with the replies so far.
    Within(u32),
}

/// The messages front end → master → servers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Request {
    /// A request to ranks.
    Ranks {
        /// The id that the replies bear.
        tid: TransactionId,
        /// The ranks addressed; never empty.
        ranks: ProcessSet,
        /// The condition under which the request is complete.
        wait: WaitPolicy,
        /// The operation that each rank carries out.
        operation: Operation,
    },
    /// A request to the master.
    Session {
        /// The id that the replies bear.
        tid: TransactionId,
        /// The command that the master carries out.
        command: SessionCommand,
    },
}

/// The messages servers → master → front end.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Reply {
    /// Replies of ranks. A request is complete when replies and `missing` together cover the ranks asked.
    Answer {
        /// The id of the request.
        tid: TransactionId,
        /// The ranks that gave this answer.
        ranks: ProcessSet,
        /// The ranks asked that have not replied by now.
        missing: ProcessSet,
        /// True if sent after the request had timed out.
        late: bool,
        /// The answer that these ranks share.
        answer: Answer,
    },
    /// No rank replied in time, or these are still missing after the replies given.
    Missing {
        /// The id of the request.
        tid: TransactionId,
        /// The ranks that have not replied.
        ranks: ProcessSet,
    },
    /// An unrequested report of ranks.
    Event {
        /// The id of the last run-control request of these ranks.
        tid: TransactionId,
        /// The ranks that report.
        ranks: ProcessSet,
        /// The event that these ranks share.
        event: Event,
    },
    /// A reply or a report of the master itself.
    Session {
        /// The id of the request it belongs to; 0 if there is none.
        tid: TransactionId,
        /// The event.
        event: SessionEvent,
    },
}

/// The way a job is started or attached.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum LaunchPlan {
    /// Copies of the program on this host.
    Local {
        /// The number of copies, at least 1.
        ranks: u32,
        /// The program and its settings.
        spec: LaunchSpec,
    },
    /// Copies on hosts that ssh reaches.
    Hosts {
        /// The hosts with their numbers of copies; ranks are numbered in this order.
        hosts: Vec<(String, u32)>,
        /// The program and its settings.
        spec: LaunchSpec,
    },
    /// Started by a launcher whose command line has the joiner in front of the program already; `{join}` stands for the
    /// joiner's own arguments, which the master fills in.
    Joined {
        /// The launcher's command line; the word `{join}` is replaced by the joiner and its arguments.
        command: Vec<String>,
        /// Only directory, first stop and address randomisation count; program and arguments are for display.
        spec: LaunchSpec,
    },
    /// Started by a launcher that provides a process table (MPIR); it runs under the debugger, too.
    Starter {
        /// The launcher's command line.
        command: Vec<String>,
        /// Only directory and first stop count; program and arguments are for display.
        spec: LaunchSpec,
    },
    /// Attaches to running processes.
    Attach {
        /// The processes, or the job.
        target: AttachTarget,
        /// Only the first stop counts; program and arguments are for display.
        spec: LaunchSpec,
    },
}

/// The processes to attach to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum AttachTarget {
    /// These processes of the master's host.
    Processes(Vec<i32>),
    /// The job of this launcher on the master's host.
    Starter(i32),
    /// A Slurm job, as `squeue` names it; with `.STEP` one step of it.
    SlurmJob(String),
    /// Core files, or directories with core files, of the master's host; the program is that of the plan.
    CoreFiles(Vec<String>),
}

impl LaunchPlan {
    /// Returns the command line of the debugged program, for display.
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

    /// Returns the program and its settings.
    pub fn spec_mut(&mut self) -> &mut LaunchSpec {
        match self {
            Self::Local { spec, .. }
            | Self::Hosts { spec, .. }
            | Self::Joined { spec, .. }
            | Self::Starter { spec, .. }
            | Self::Attach { spec, .. } => spec,
        }
    }

    /// True if the ranks are core files.
    pub fn is_of_core_files(&self) -> bool {
        matches!(self, Self::Attach { target: AttachTarget::CoreFiles(_), .. })
    }

    /// True if the ranks are started for the session, so that they can be restarted.
    pub fn starts(&self) -> bool {
        !matches!(self, Self::Attach { .. })
    }
}

/// The weight of output under way, and of other events that ranks may report without end: bytes times ranks, which
/// merging equal ones does not change; 0 of all others.
pub fn output_weight(ranks: &ProcessSet, event: &Event) -> u64 {
    event.endless_bytes().map_or(0, |bytes| ranks.len() as u64 * bytes as u64)
}

impl Reply {
    /// Returns the [`output_weight`] of an event, 0 of other replies.
    pub fn output_weight(&self) -> u64 {
        match self {
            Self::Event { ranks, event, .. } => output_weight(ranks, event),
            _ => 0,
        }
    }
}

/// The commands for the master.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum SessionCommand {
    /// Starts the job. The reply is `Session` when all ranks exist, or `Failed`.
    Launch(LaunchPlan),
    /// Kills the job and starts it again with its breakpoints, and with changes to what `Launch` gave. The reply is that
    /// of `Launch`; a refusal leaves the job as it is.
    Restart(StartChanges),
    /// Asks for the whole state, for a new front end. The reply is `State`.
    Replay,
    /// Claims the session for this front end; takes it from another only if `take` is set. The reply is `Joined` or
    /// `Failed`.
    Join {
        /// True to take the session from another front end.
        take: bool,
    },
    /// Stores data for the next front end, which gets it with `State`; there is no reply.
    Keep {
        /// The data, in the front end's own format.
        memory: String,
        /// The seconds for which a session without front end and without live ranks is kept.
        linger: u32,
    },
    /// Acknowledges output, by [`output_weight`]; there is no reply.
    OutputTaken(u64),
    /// Ends the session: kills the ranks or detaches. The reply is `Ended`, then the link closes.
    Quit {
        /// True to kill the ranks, false to detach from them.
        kill: bool,
    },
}

/// A rank as the master knows it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct JobRank {
    /// The rank's number in the job.
    pub rank: Rank,
    /// The name of its host.
    pub host: String,
    /// The process id there; 0 if not known.
    pub pid: u32,
}

/// The replies and reports of the master itself.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum SessionEvent {
    /// The job is ready: each of its ranks has a server. The ranks' first stops come as events.
    Session {
        /// The session's name, for `resume`.
        session: String,
        /// The number of ranks.
        size: u32,
        /// The ranks on each host.
        hosts: Vec<(String, ProcessSet)>,
    },
    /// A step on the way to `Session`, in words.
    Progress(String),
    /// The request failed, with the reason. The launcher's own output came before, as [`Self::LauncherOutput`].
    Failed(String),
    /// The launcher wrote something that is not a rank's output.
    LauncherOutput(String),
    /// The launcher ended, with this exit code.
    LauncherExited(i32),
    /// A message for the user.
    Message(Severity, String),
    /// The whole state, for a new front end.
    State {
        /// The breakpoints of the session.
        breakpoints: Vec<Breakpoint>,
        /// The states, each with its ranks.
        states: Vec<(ProcessSet, ProcessState)>,
        /// The hosts and process ids of the ranks.
        ranks: Vec<JobRank>,
        /// The data that the last front end stored with [`SessionCommand::Keep`].
        #[serde(default, skip_serializing_if = "Option::is_none")]
        kept: Option<String>,
    },
    /// The front end now has the session.
    Joined,
    /// Another front end has taken the session: this one gets no more messages.
    Taken,
    /// The session is over.
    Ended,
}

/// The index of a server of the tree, 0…N-1; the master has N (wire, section 6).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ServerIndex(pub u32);

/// The messages down the tree.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum TreeDown {
    /// A request to carry out and pass on.
    Request(Request),
    /// The addressed server starts ranks.
    Launch {
        /// The addressed server.
        server: ServerIndex,
        /// The first of the ranks.
        first: Rank,
        /// The number of ranks to start.
        count: u32,
        /// The number of ranks in the job.
        size: u32,
        /// The program and its settings.
        spec: LaunchSpec,
    },
    /// The addressed server attaches to these processes of its host.
    Attach {
        /// The addressed server.
        server: ServerIndex,
        /// The rank and the process id of each.
        processes: Vec<(Rank, i32)>,
        /// The number of ranks in the job.
        size: u32,
        /// True if a stop signal holds them before their first instruction.
        held: bool,
        /// Only first stop and settings count.
        spec: LaunchSpec,
    },
    /// The addressed server opens these core files of its host as ranks.
    OpenCores {
        /// The addressed server.
        server: ServerIndex,
        /// The core file of each rank.
        cores: Vec<(Rank, String)>,
        /// The number of ranks in the job.
        size: u32,
        /// Only program and settings count.
        spec: LaunchSpec,
    },
    /// The addressed server's way to the master: its parent first, then that one's parent, … the master last.
    Ancestors {
        /// The addressed server.
        server: ServerIndex,
        /// The ancestors' indices and addresses (`host:port`).
        path: Vec<(ServerIndex, String)>,
    },
    /// The addressed server dials these; from then on they are its children.
    Children {
        /// The addressed server.
        server: ServerIndex,
        /// The children's indices and addresses.
        children: Vec<(ServerIndex, String)>,
    },
    /// Ends the tree in order: kills the ranks or detaches, passes it on to the children, then ends.
    Shutdown {
        /// True to kill the ranks, false to detach from them.
        kill: bool,
    },
    /// Acknowledges output, by [`output_weight`].
    OutputTaken(u64),
}

/// The messages up the tree.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum TreeUp {
    /// A reply to merge and pass on.
    Reply(Reply),
    /// The first message of a server: its identity, and the address for its children.
    Here {
        /// The sender.
        server: ServerIndex,
        /// The name of the sender's host.
        host: String,
        /// The `host:port` for its children.
        address: String,
        /// The ranks of the server and its subtree; not empty if it reconnects after losing its parent.
        ranks: ProcessSet,
    },
    /// Ranks were started or attached.
    Acquired {
        /// The ranks' server.
        server: ServerIndex,
        /// The ranks, with host and process id.
        ranks: Vec<JobRank>,
        /// The number of ranks in the job, as the launcher gives it.
        size: u32,
    },
    /// Starting or attaching failed on a server.
    LaunchFailed {
        /// The server.
        server: ServerIndex,
        /// The fault and the next step, for the user.
        message: String,
    },
    /// The link to a child broke.
    ServerLost {
        /// The lost server.
        server: ServerIndex,
        /// The way in which it was noticed.
        message: String,
    },
    /// The subtree has ended; the link closes.
    Down,
}
