//! Facts about the process of a rank: its limits, its core file, its system calls

mod core_file;
mod resource_limit;
pub(super) mod system_calls;

pub use core_file::CoreFile;
pub use resource_limit::ResourceLimit;
