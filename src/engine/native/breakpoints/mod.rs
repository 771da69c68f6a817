//! Where and when a rank is to stop: sites, conditions, watchpoints, catchpoints.

pub(super) mod caretaker;
pub(super) mod catching;
pub(super) mod conditions;
pub(super) mod prepared;
pub(super) mod sites;
pub(super) mod watch_plan;
pub(super) mod watching;
