//! Commands about where ranks stop.

use model::{BreakpointId, Catch, LocationSpec, ThreadId, WatchAccess};

/// When a breakpoint acts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct When {
    /// Only when true.
    pub condition: Option<String>,
    /// Times to pass over.
    pub ignore: u64,
    /// Only this thread.
    pub thread: Option<ThreadId>,
}

/// Where ranks stop.
#[derive(Clone, Debug, PartialEq)]
pub enum BreakpointCommand {
    /// Set a breakpoint.
    Break {
        /// `None`: where the lead is.
        location: Option<LocationSpec>,
        /// Once.
        temporary: bool,
        /// When it stops.
        when: When,
    },
    /// Set a barrier: where, `None` as for a breakpoint, and when.
    Barrier(Option<LocationSpec>, When),
    /// Set a watchpoint.
    Watch {
        /// Which accesses.
        access: WatchAccess,
        /// What is watched.
        expression: String,
        /// When it stops.
        when: When,
    },
    /// Set a catchpoint.
    Catch(Catch, When),
    /// Set a tracepoint.
    Trace {
        /// `None`: where the lead is.
        location: Option<LocationSpec>,
        /// What is shown there.
        expressions: Vec<String>,
        /// When.
        when: When,
    },
    /// List breakpoints.
    Breakpoints,
    /// Delete these; none: all.
    Delete(Vec<BreakpointId>),
    /// Delete those at a place; `None`: where the lead is.
    Clear(Option<LocationSpec>),
    /// Enable (`true`) or disable these; none: all.
    Enable(Vec<BreakpointId>, bool),
    /// Change or remove a condition.
    Condition(BreakpointId, Option<String>),
    /// Arrivals to pass over.
    After(BreakpointId, u64),
}
