//! Source files: as debug information names them, and where they are now.

pub(super) mod recorded;
pub(super) mod search;
