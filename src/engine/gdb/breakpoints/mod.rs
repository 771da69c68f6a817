//! gdb's breakpoints, watchpoints, catchpoints and tracepoints.

pub(super) mod planted;
pub(super) mod points;
pub(super) mod sites;
pub(super) mod tracepoints;
