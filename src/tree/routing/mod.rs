//! The shape of the tree: who is whose parent, which way the ranks are, and where servers are found.

pub mod dialling;
pub mod file;
pub(super) mod listed;
pub mod topology;
pub mod ways;
