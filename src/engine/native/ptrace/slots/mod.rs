//! The slots in which threads pass breakpoints, and the memory that they are in.

pub(super) mod area;
pub(super) mod memory;
