//! Requests that are open, and who asked.

use crate::command::CommandId;
use crate::core::views::glance::Glance;
use model::{Operation, ProcessSet, ThreadId};
use std::time::Instant;

/// A request that is open.
#[derive(Debug)]
pub(in crate::core) struct Query {
    pub(in crate::core) remaining: ProcessSet,
    pub(in crate::core) missing: ProcessSet,
    pub(in crate::core) owner: Owner,
    /// The thread and the operation of the command, where others were asked with it.
    pub(in crate::core) single: Option<(ThreadId, Operation)>,
    pub(in crate::core) lets_go: bool,
    pub(in crate::core) deadline: Instant,
}

#[derive(Clone, Debug)]
pub(in crate::core) enum Owner {
    /// A command; which of its questions.
    Command(CommandId, usize),
    /// Nobody waits for the answers.
    Nobody,
    Look(Glance),
    /// The screen, for the frames of other ranks than the lead.
    Together,
}
