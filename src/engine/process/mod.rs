//! Processes as the kernel shows them, and their output; independent of any engine.

pub(crate) mod call_stop;
pub(crate) mod kernel_wait;
pub(crate) mod memory;
pub(crate) mod memory_kills;
pub mod mpir;
pub mod output;
pub mod output_pace;
pub(crate) mod permission;
pub mod pmix;
pub(crate) mod process_facts;
pub mod procfs;
pub mod rank_input;
pub(crate) mod thread_signal;
