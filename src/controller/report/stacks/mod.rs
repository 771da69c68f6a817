//! Stacks as text: grouped, with the arguments of their frames.

pub(super) mod arguments;
pub(super) mod groups;
pub(super) mod text;
