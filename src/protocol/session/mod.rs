//! A session on its host: its directory, its key, and which of its processes are alive.

pub(super) mod directory;
pub(super) mod directory_error;
pub(super) mod key;
pub(super) mod liveness;
pub(super) mod process_identity;
pub(super) mod removal;
