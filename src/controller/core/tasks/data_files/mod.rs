//! Files of data that commands write and read: their names, their forms, and how far they are.

mod csv;
mod file_name;
mod npy;
pub(in crate::core) mod restoring;
pub(in crate::core) mod saving;

/// Bytes that are requested at once, of one rank or of several.
const BLOCK: u64 = 4 << 20;
