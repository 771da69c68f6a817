//! Facts about the process of a rank: its limits, its core file, its system calls, what the kernel knows of it

mod core_file;
mod facts;
mod resource_limit;
pub(super) mod system_calls;

pub use core_file::{CoreFile, CorePlace};
pub use facts::{AUXILIARY_TYPES, AuxiliaryEntry, AuxiliaryForm, MappedRange, ProcessFacts, ProcessPart};
pub use resource_limit::ResourceLimit;
