//! Processes as the kernel shows them, and their output; nothing of any engine.

pub mod output;
pub mod procfs;
