//! The frames of stacks, and their arguments on many ranks.

pub(super) mod arguments;
pub(super) mod frame;
pub(super) mod merged_stacks;
