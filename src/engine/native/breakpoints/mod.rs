//! Breakpoint sites, conditions, watchpoints, catchpoints, and the decision whether to stop.

pub(super) mod bound_names;
pub(super) mod catch_functions;
pub(super) mod catchpoints;
pub(super) mod claims;
pub(super) mod cleaner;
pub(super) mod conditions;
pub(super) mod evaluated;
pub(super) mod inlined_arrivals;
pub(super) mod lookups;
pub(super) mod points;
pub(super) mod prepared_condition;
pub(super) mod sites;
pub(super) mod system_calls;
pub(super) mod verdict;
pub(super) mod watch_names;
pub(super) mod watch_plan;
pub(super) mod watch_state;
pub(super) mod watchpoints;
