//! The numbers that commands and breakpoints get.

use crate::command::CommandId;
use model::BreakpointId;

#[derive(Debug)]
pub(in crate::core) struct Numbers {
    next_command: u32,
    next_breakpoint: u32,
}

impl Default for Numbers {
    fn default() -> Self {
        Self { next_command: 1, next_breakpoint: 1 }
    }
}

impl Numbers {
    pub(in crate::core) fn take_command(&mut self) -> CommandId {
        let id = CommandId(self.next_command);
        self.next_command += 1;
        id
    }

    /// The number that the next breakpoint gets.
    pub(in crate::core) fn next_breakpoint(&self) -> BreakpointId {
        BreakpointId(self.next_breakpoint)
    }

    pub(in crate::core) fn breakpoint_taken(&mut self) {
        self.next_breakpoint += 1;
    }

    /// Breakpoints below this number are there, or were.
    pub(in crate::core) fn breakpoints_from(&mut self, number: u32) {
        self.next_breakpoint = self.next_breakpoint.max(number);
    }

    /// Another session counts its breakpoints from the first.
    pub(in crate::core) fn forget_breakpoints(&mut self) {
        self.next_breakpoint = 1;
    }
}
