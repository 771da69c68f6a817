//! Breakpoints, watchpoints, catchpoints and their locations.

pub(super) mod breakpoint;
pub(super) mod catch;
mod explicit_location;
pub(super) mod float_exceptions;
pub(super) mod location;
pub(super) mod point;
pub(super) mod request;
pub(super) mod watched;
