//! Open requests and their owners.

use crate::command::CommandId;
use crate::core::views::glance::Glance;
use model::{Operation, ProcessSet, ThreadId};
use std::time::Instant;

#[derive(Debug)]
pub(in crate::core) struct Query {
    pub(in crate::core) remaining: ProcessSet,
    pub(in crate::core) missing: ProcessSet,
    pub(in crate::core) owner: Owner,
    /// The thread and the operation of the command, if other threads were asked with it.
    pub(in crate::core) single: Option<(ThreadId, Operation)>,
    pub(in crate::core) deadline: Instant,
}

#[derive(Clone, Debug)]
pub(in crate::core) enum Owner {
    /// A command, with the index of its request.
    Command(CommandId, usize),
    /// No owner: the answers are ignored.
    Nobody,
    Look(Glance),
    /// The screen, for the frames of ranks other than the lead.
    Together,
}
