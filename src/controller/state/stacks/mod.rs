//! Stacks as the screen draws them: merged into trees, with calls of libraries folded.

pub(super) mod folded_calls;
pub(super) mod folded_stack;
pub(super) mod sampled_stacks;
pub(super) mod stack_tree;
