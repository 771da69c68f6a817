//! Functions: lookup by address and name, and call sites.

pub(super) mod call_parameters;
pub(super) mod call_sites;
pub(super) mod entries;
pub(super) mod main_function;
pub(super) mod named;
pub(super) mod own_lines;
pub(super) mod ranges;
pub(super) mod resolve;
pub(super) mod shown_names;
