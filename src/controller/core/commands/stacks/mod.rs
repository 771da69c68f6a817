//! Commands that show stacks: as they are, or of running ranks, looked at several times.

pub(in crate::core) mod sampling;
pub(in crate::core) mod shown;
