//! The frames of stacks, and their arguments on many ranks.

pub(super) mod arguments;
pub(super) mod frame;
pub(super) mod merged_stacks;
pub(super) mod rank_threads;
pub(super) mod thread_stacks;
