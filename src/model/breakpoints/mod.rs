//! Breakpoints, and what they wait for.

pub(super) mod breakpoint;
pub(super) mod location;
pub(super) mod point;
pub(super) mod request;
