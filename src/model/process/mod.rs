//! Facts about the process of a rank: its limits, its core file

mod core_file;
mod resource_limit;

pub use core_file::CoreFile;
pub use resource_limit::ResourceLimit;
