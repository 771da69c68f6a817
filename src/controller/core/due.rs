//! The queue of follow-ups of the present step.

use crate::command::CommandId;
use std::collections::VecDeque;

#[derive(Debug)]
pub(in crate::core) enum Due {
    /// All requests of a command are answered or have timed out.
    Answered(CommandId),
    /// A command of a script has ended.
    Over { script: CommandId, command: CommandId, failed: bool },
    /// The next line of a script is to run.
    NextLine(CommandId),
}

#[derive(Debug, Default)]
pub(in crate::core) struct DueQueue(VecDeque<Due>);

impl DueQueue {
    pub(in crate::core) fn push(&mut self, due: Due) {
        self.0.push_back(due);
    }

    pub(in crate::core) fn pop(&mut self) -> Option<Due> {
        self.0.pop_front()
    }

    pub(in crate::core) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}
