//! The shape of the tree: parents, the way to each rank, and the addresses of servers.

pub mod dialling;
pub mod file;
pub(super) mod listed;
pub mod topology;
pub mod ways;
