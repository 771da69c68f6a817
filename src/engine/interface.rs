//! The interface of an engine: acquisitions and queries in, reports out.

use crate::handover::handed::{Handed, TakenOver};
use crate::process::output::OutputTap;
use model::{Answer, Event, Failure, LaunchSpec, Operation, ProcessSet, Rank, TransactionId};
use std::collections::BTreeMap;
use std::io;
use std::os::fd::OwnedFd;
use std::path::PathBuf;
use tokio::sync::mpsc::UnboundedSender;
use tokio::sync::oneshot;

/// An operation for some ranks of the engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Query {
    /// Chosen by the asker, returned with the answers.
    pub tid: TransactionId,
    /// Ranks of this engine; others among them are answered with an error.
    pub ranks: ProcessSet,
    /// The operation to carry out on each rank.
    pub operation: Operation,
}

/// An engine's output. Answers to one query come in any number of parts that together cover its ranks exactly once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Report {
    /// The answer to a query, for some of its ranks.
    Answer {
        /// The transaction of the query.
        tid: TransactionId,
        /// The ranks that give this answer.
        ranks: ProcessSet,
        /// The answer, equal for all these ranks.
        answer: Answer,
    },
    /// A change that no query asked for.
    Event {
        /// The transaction of the ranks' last run-control query; 0 before the first.
        tid: TransactionId,
        /// The ranks that report it.
        ranks: ProcessSet,
        /// The event, equal for all these ranks.
        event: Event,
    },
}

/// The receiver of an engine's reports. Reports of one rank keep their order.
pub type ReportSink = UnboundedSender<Report>;

/// A way to acquire ranks.
#[derive(Debug)]
pub enum Acquisition {
    /// Start `count` copies as ranks `first…`, of a job of `size`. Each has `RANKSCOPE_RANK` and `RANKSCOPE_SIZE` in
    /// its environment, and `{rank}`, `{size}` replaced in arguments and environment values.
    Launch {
        /// The lowest rank to start.
        first: Rank,
        /// The number of ranks to start.
        count: u32,
        /// The size of the job, of which this launch may be a part.
        size: u32,
        /// The program, its arguments and environment.
        spec: LaunchSpec,
        /// The standard inputs of ranks; the others read nothing. [`Engines`](crate::Engines) opens those of the
        /// specification.
        inputs: BTreeMap<Rank, OwnedFd>,
    },
    /// Seize a process that waits to execute the program (the joiner): follow its next exec, then as after a launch.
    Join {
        /// The rank that the launcher assigned.
        rank: Rank,
        /// The joiner's process id on this host.
        pid: i32,
        /// The first stop; the program is the one that the joiner executes.
        spec: LaunchSpec,
        /// Standard output; `None` if it is not tapped.
        stdout: Option<OutputTap>,
        /// Standard error; `None` if it is not tapped.
        stderr: Option<OutputTap>,
        /// Receives `Ok` once the process is traced, or a sentence for the user if it cannot be.
        ready: oneshot::Sender<Result<(), String>>,
    },
    /// Take over a process that another engine has given away. No `Acquired` event: it stays the same rank, stopped.
    TakeOver {
        /// The process, settled.
        handed: Box<Handed>,
        /// Receives the outcome.
        ready: oneshot::Sender<TakenOver>,
    },
    /// Attach to a running process of this host, with all its threads. Its output is not redirected. A shutdown
    /// detaches from it, even one that kills.
    Attach {
        /// The rank to assign.
        rank: Rank,
        /// The process id on this host.
        pid: i32,
        /// The first stop; the program is for display.
        spec: LaunchSpec,
        /// The condition in which the process is found.
        adoption: Adoption,
    },
    /// Open core files as ranks; only [`CoreEngine`](crate::core::CoreEngine) can.
    OpenCores {
        /// The core file of each rank.
        cores: Vec<(Rank, PathBuf)>,
        /// The program and the settings; nothing else counts.
        spec: LaunchSpec,
    },
}

/// The report of an engine that cannot open core files.
pub(crate) fn no_core_files(engine: &str, cores: &[(Rank, PathBuf)]) -> Report {
    let ranks = cores.iter().map(|(rank, _)| *rank).collect();
    let event = Event::Failed(format!("the {engine} engine cannot open core files"));
    Report::Event { tid: TransactionId(0), ranks, event }
}

/// The condition of a process before it is attached to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Adoption {
    /// Executing: it stops where it is with reason `Start`, or continues with [`StopAt::Nowhere`].
    ///
    /// [`StopAt::Nowhere`]: model::StopAt::Nowhere
    Running,
    /// Held by a stop signal before its first instruction: it gets SIGCONT, and stops as after a launch.
    Held,
}

/// An engine that has failed as a whole; holds the message for the user.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct EngineFault(pub String);

impl EngineFault {
    /// The failure of an engine to start. It names the exhausted resource, which the system's message does not.
    pub fn at_start(engine: &str, what: &str, error: &io::Error) -> Self {
        let limit = match error.kind() {
            // No resources for another thread (pthread_create(3)).
            io::ErrorKind::WouldBlock => " (out of memory or processes: ulimit -v, ulimit -u)",
            io::ErrorKind::OutOfMemory => " (out of memory: ulimit -v)",
            _ => "",
        };
        Self(format!("cannot start the {engine} engine: {what}: {error}{limit}"))
    }
}

/// Ranks under a debugger. No call blocks: work happens elsewhere, and its results go to the engine's [`ReportSink`].
///
/// The contract, checked on every engine by `tests/engine`:
/// * a launched rank reports `Acquired`, then `Stopped` with reason `Start` (or `Running` for [`StopAt::Nowhere`]);
///   one that cannot be started reports `Message(Error, …)` naming what and why, and `Lost`;
/// * run control (`Go`, `Step`, `Until`, `Signal`, `Interrupt`, `Terminate`, `Detach`) is answered at once, `Running`
///   precedes the next `Stopped`, every stop is all-stop within the rank;
/// * an operation that needs a stop fails with [`ErrorCode::RUNNING`] on a running rank and
///   [`ErrorCode::NOT_RUN`] on an ended one, at once;
/// * all output of a rank is reported before its `Exited` or `Killed`;
/// * after `shutdown` no process of the engine is left (killed, or detached from), and the sink is dropped.
///
/// [`StopAt::Nowhere`]: model::StopAt::Nowhere
/// [`ErrorCode::RUNNING`]: model::ErrorCode::RUNNING
/// [`ErrorCode::NOT_RUN`]: model::ErrorCode::NOT_RUN
pub trait Engine: Send + Sync {
    /// Acquires ranks; an `Acquired` or `Lost` event tells the outcome for each.
    fn acquire(&self, acquisition: Acquisition);

    /// Sends a query to its ranks.
    fn submit(&self, query: Query);

    /// Gives a stopped rank away, for another engine to take over. A rank that is not stopped stays, and the reply says
    /// why; one that is given away leaves this engine without an event.
    fn give_away(&self, rank: Rank, reply: oneshot::Sender<Result<Box<Handed>, Failure>>);

    /// Shuts down: kills the ranks, or detaches from them. The sink is dropped at the end; while detached ranks may
    /// still write through the engine, it stays open.
    fn shutdown(&self, kill: bool);
}
