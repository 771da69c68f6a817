//! Processes on their way from one debugger to another.

pub mod files;
pub(super) mod handed;
