//! The numbers of commands, breakpoints and skips.

use crate::command::CommandId;
use model::BreakpointId;

#[derive(Debug)]
pub(in crate::core) struct Numbers {
    next_command: u32,
    next_breakpoint: u32,
    /// The first of those that the latest command set.
    first_of_latest: u32,
    /// As `first_of_latest`, before the latest command.
    first_of_previous: u32,
    next_skip: u32,
}

impl Default for Numbers {
    fn default() -> Self {
        Self { next_command: 1, next_breakpoint: 1, first_of_latest: 1, first_of_previous: 1, next_skip: 1 }
    }
}

impl Numbers {
    pub(in crate::core) fn take_command(&mut self) -> CommandId {
        let id = CommandId(self.next_command);
        self.next_command += 1;
        id
    }

    pub(in crate::core) fn next_breakpoint(&self) -> BreakpointId {
        BreakpointId(self.next_breakpoint)
    }

    pub(in crate::core) fn breakpoint_taken(&mut self) {
        self.first_of_previous = self.first_of_latest;
        self.first_of_latest = self.next_breakpoint;
        self.next_breakpoint += 1;
    }

    /// Records that no rank has set this breakpoint: the next one gets its number, as in gdb.
    pub(in crate::core) fn breakpoint_refused(&mut self, number: BreakpointId) {
        if number.0.checked_add(1) == Some(self.next_breakpoint) {
            self.next_breakpoint = number.0;
            self.first_of_latest = self.first_of_previous;
        }
    }

    /// Records that one command has set the latest breakpoints.
    pub(in crate::core) fn set_together(&mut self, count: usize) {
        self.first_of_latest = self.next_breakpoint.saturating_sub(u32::try_from(count).unwrap_or(u32::MAX));
    }

    /// Returns the first breakpoint of the latest command that set some.
    pub(in crate::core) fn first_of_latest(&self) -> BreakpointId {
        BreakpointId(self.first_of_latest)
    }

    pub(in crate::core) fn take_skip(&mut self) -> u32 {
        self.next_skip += 1;
        self.next_skip - 1
    }

    /// Records that breakpoints below this number exist or existed.
    pub(in crate::core) fn breakpoints_from(&mut self, number: u32) {
        self.next_breakpoint = self.next_breakpoint.max(number);
    }

    /// Restarts the breakpoints' numbers for another session.
    pub(in crate::core) fn forget_breakpoints(&mut self) {
        self.next_breakpoint = 1;
    }
}
