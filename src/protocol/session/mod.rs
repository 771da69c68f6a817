//! A session on its host: the directory, the key, and who still lives.

pub(super) mod directory;
pub(super) mod directory_error;
pub(super) mod key;
pub(super) mod liveness;
pub(super) mod process_identity;
pub(super) mod removal;
