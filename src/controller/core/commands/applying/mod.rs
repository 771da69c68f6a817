//! One command for many threads or frames.

pub(in crate::core) mod each_thread;
mod listed;

pub(in crate::core) use listed::{apply, apply_to, go_past};
