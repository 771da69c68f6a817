//! What an engine takes and gives.

use crate::handover::handed::{Handed, TakenOver};
use crate::process::output::OutputTap;
use model::{Answer, Event, Failure, LaunchSpec, Operation, ProcessSet, Rank, TransactionId};
use std::io;
use tokio::sync::mpsc::UnboundedSender;
use tokio::sync::oneshot;

/// An operation for some ranks of the engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Query {
    /// Chosen by the asker, returned with the answers.
    pub tid: TransactionId,
    /// Ranks of this engine; others among them are answered with an error.
    pub ranks: ProcessSet,
    /// What is asked.
    pub operation: Operation,
}

/// What an engine says. Answers to one query come in any number of parts that together cover its ranks exactly once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Report {
    /// To a query.
    Answer {
        /// Of the query.
        tid: TransactionId,
        /// Who answers.
        ranks: ProcessSet,
        /// What.
        answer: Answer,
    },
    /// Unasked.
    Event {
        /// Of the last run-control query of these ranks; 0 before the first.
        tid: TransactionId,
        /// Who.
        ranks: ProcessSet,
        /// What.
        event: Event,
    },
}

/// Where an engine's reports go. Reports of one rank keep their order.
pub type ReportSink = UnboundedSender<Report>;

/// A way to come by ranks.
#[derive(Debug)]
pub enum Acquisition {
    /// Start `count` copies as ranks `first…`, of a job of `size`. Each has `RANKSCOPE_RANK` and `RANKSCOPE_SIZE` in
    /// its environment, and `{rank}`, `{size}` replaced in arguments and environment values.
    Launch {
        /// The first rank.
        first: Rank,
        /// How many.
        count: u32,
        /// Of how many.
        size: u32,
        /// What.
        spec: LaunchSpec,
    },
    /// Seize a process that waits to execute the program (the joiner): follow its next exec, then as after a launch.
    Join {
        /// As the launcher numbers it.
        rank: Rank,
        /// On this host.
        pid: i32,
        /// The first stop; the program is what the process executes.
        spec: LaunchSpec,
        /// Its standard output, when tapped.
        stdout: Option<OutputTap>,
        /// Its standard error, when tapped.
        stderr: Option<OutputTap>,
        /// Told once the process is under the tracer (`Ok`) or cannot be (a sentence for the user).
        ready: oneshot::Sender<Result<(), String>>,
    },
    /// Take over a process that another engine has given away. No `Acquired` event: the rank stays the rank it was, and
    /// stopped.
    TakeOver {
        /// The process, settled.
        handed: Box<Handed>,
        /// Told what became of it.
        ready: oneshot::Sender<TakenOver>,
    },
    /// Seize a process of this host that runs already, with all its threads. What it writes stays where it went. It is
    /// let go when the engine is shut down, whether that kills or not.
    Attach {
        /// The number it gets.
        rank: Rank,
        /// On this host.
        pid: i32,
        /// The first stop; the program is for display.
        spec: LaunchSpec,
        /// How it is found.
        adoption: Adoption,
    },
}

/// How a process is found that runs already.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Adoption {
    /// Somewhere in its work: it stops where it is with reason `Start`, or goes on with [`StopAt::Nowhere`].
    ///
    /// [`StopAt::Nowhere`]: model::StopAt::Nowhere
    Running,
    /// A stop signal holds it before its first instruction, for us: it gets SIGCONT, and stops as after a launch.
    Held,
}

/// An engine that cannot go on as a whole.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct EngineFault(pub String);

impl EngineFault {
    /// An engine that cannot start. What has run out is named: the system's words do not.
    pub fn at_start(engine: &str, what: &str, error: &io::Error) -> Self {
        let limit = match error.kind() {
            // A thread that there is no room for (pthread_create(3)).
            io::ErrorKind::WouldBlock => " (out of memory or processes: ulimit -v, ulimit -u)",
            io::ErrorKind::OutOfMemory => " (out of memory: ulimit -v)",
            _ => "",
        };
        Self(format!("cannot start the {engine} engine: {what}: {error}{limit}"))
    }
}

/// Ranks under a debugger. No call blocks: work happens elsewhere, what comes of it goes to the [`ReportSink`] the
/// engine was made with.
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
    /// Comes by ranks; `Acquired` or `Lost` events tell the outcome for each.
    fn acquire(&self, acquisition: Acquisition);

    /// Asks ranks.
    fn submit(&self, query: Query);

    /// Gives a stopped rank away, for another engine to take over. A rank that is not stopped stays, and the reply says
    /// why; one that is given away is not this engine's any more, which no event says.
    fn give_away(&self, rank: Rank, reply: oneshot::Sender<Result<Box<Handed>, Failure>>);

    /// Ends: kills the ranks, or lets them go. The sink is dropped when all is done; where ranks that were let go write
    /// to the engine, it stays for as long as they may.
    fn shutdown(&self, kill: bool);
}
