//! Each command: its requests to the ranks and to the master.

pub(super) mod breakpoints;
pub(super) mod dispatch;
pub(super) mod displays;
pub(super) mod examine;
pub(super) mod frames;
pub(super) mod lookups;
pub(super) mod points;
pub(super) mod program_start;
pub(super) mod ranks;
pub(super) mod report;
pub(super) mod reverse;
pub(super) mod rules;
pub(super) mod running;
pub(super) mod saving;
pub(super) mod scripting;
pub(super) mod session;
pub(super) mod source;
pub(super) mod stacks;
pub(super) mod symbols;
pub(super) mod threads;
pub(super) mod values;
pub(super) mod waits;
pub(super) mod why;
