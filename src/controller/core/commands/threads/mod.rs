//! Commands for many threads or frames, and names of threads.

pub(in crate::core) mod applying;
pub(in crate::core) mod each_thread;
pub(in crate::core) mod naming;
