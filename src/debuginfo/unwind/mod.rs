//! Unwinds stacks.

pub(super) mod call_frames;
pub(super) mod caller;
mod indirect_calls;
pub(super) mod memory_cache;
pub(super) mod register_groups;
pub(super) mod registers;
pub(super) mod stack;
mod straight_code;
pub(super) mod tail_calls;
pub(super) mod thread_access;
