//! Breakpoint commands, parsed.

use super::skips::SkipCommand;
use crate::command::print_format::PrintFormat;
use model::{BreakpointId, Catch, LocationSpec, SymbolQuery, ThreadId, WatchAccess};
use serde::{Deserialize, Serialize};

/// The conditions under which a breakpoint stops.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct When {
    /// Stops only if this expression is true; `None`: always.
    pub condition: Option<String>,
    /// The number of hits to ignore first.
    pub ignore: u64,
    /// Stops only this thread; `None`: any.
    pub thread: Option<ThreadId>,
}

/// The fate of an enabled breakpoint, counted on each rank.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Countdown {
    /// Disabled after this number of stops.
    Disable(u64),
    /// Deleted after its first stop.
    Delete,
}

/// A breakpoint command.
#[derive(Clone, Debug, PartialEq)]
pub enum BreakpointCommand {
    /// Sets a breakpoint.
    Break {
        /// The place; `None`: the lead's.
        location: Option<LocationSpec>,
        /// True if the first stop deletes it.
        temporary: bool,
        /// True if it uses a debug register.
        hardware: bool,
        /// The conditions under which it stops.
        when: When,
    },
    /// Sets a breakpoint at each of these functions.
    EachFunction(Box<SymbolQuery>),
    /// Sets a barrier at a place (`None`: the lead's).
    Barrier(Option<LocationSpec>, When),
    /// Sets a watchpoint.
    Watch {
        /// The accesses that stop: writes, reads, or both.
        access: WatchAccess,
        /// The expression to watch.
        expression: String,
        /// The conditions under which it stops.
        when: When,
    },
    /// Sets a catchpoint.
    Catch {
        /// The event that it waits for.
        event: Catch,
        /// True if the first stop deletes it.
        temporary: bool,
        /// The conditions under which it stops.
        when: When,
    },
    /// Sets a tracepoint.
    Trace {
        /// The place; `None`: the lead's.
        location: Option<LocationSpec>,
        /// The expressions reported at each hit.
        expressions: Vec<String>,
        /// The conditions under which it reports.
        when: When,
    },
    /// Sets a tracepoint that prints in a format.
    PrintAt {
        /// The place; `None`: the lead's.
        location: Option<LocationSpec>,
        /// The format.
        format: PrintFormat,
        /// The expressions of its fields.
        expressions: Vec<String>,
        /// The conditions under which it prints.
        when: When,
    },
    /// Lists breakpoints.
    Breakpoints {
        /// All if there are none.
        ids: Vec<BreakpointId>,
        /// True for watchpoints only.
        watches: bool,
    },
    /// Deletes these breakpoints; an empty list means all.
    Delete(Vec<BreakpointId>),
    /// Deletes the breakpoints at a place; `None`: the lead's.
    Clear(Option<LocationSpec>),
    /// Enables (`true`) or disables these; an empty list means all.
    Enable(Vec<BreakpointId>, bool),
    /// Enables these, with what becomes of them; an empty list means all.
    EnableFor(Vec<BreakpointId>, Countdown),
    /// Changes a condition; `None` removes it.
    Condition(BreakpointId, Option<String>),
    /// A command about functions that steps pass over.
    Skip(SkipCommand),
    /// Sets the number of hits to ignore.
    After(BreakpointId, u64),
}
