//! The inputs of the task that owns the session.

use super::processes::Started;
use crate::attach::RankTable;
use crate::attach::starter::StarterNews;
use crate::link_tasks::LinkNews;
use crate::routing::dialling::ChildNews;
use model::TransactionId;
use protocol::{Reply, Request, ServerIndex};
use std::process::ExitStatus;

pub(super) enum Input {
    Front(LinkNews<Reply, Request>),
    Child(ChildNews),
    /// A process that was started for a job has ended.
    Ended {
        job: u32,
        started: Started,
        status: ExitStatus,
    },
    /// The processes of a running job, or why they were not found.
    Found(TransactionId, Result<RankTable, String>),
    /// The address of a server that is to be dialled.
    Place(ServerIndex, String),
    /// A report of the launcher under the debugger, for the job of this request.
    Starter(TransactionId, StarterNews),
    Terminate,
}
