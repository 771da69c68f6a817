//! gdb's breakpoints, watchpoints, catchpoints and tracepoints.

pub(super) mod arrivals;
pub(super) mod handover;
pub(super) mod planted;
pub(super) mod points;
pub(super) mod reasons;
pub(super) mod table;
