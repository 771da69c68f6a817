//! What the one task that owns the session is told.

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
    Ended(Started, ExitStatus),
    /// The processes of a job that runs already, or why they are not known.
    Found(TransactionId, Result<RankTable, String>),
    /// A server that is to be dialled says where it listens.
    Place(ServerIndex, String),
    /// Of the launcher that runs under the debugger for the job of this request.
    Starter(TransactionId, StarterNews),
    Terminate,
}
