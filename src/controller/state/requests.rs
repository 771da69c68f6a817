//! The requests for a debugger.

use crate::state::ListedRequest;

/// The requests as last seen in the directory.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Requests {
    /// The requests, oldest first.
    pub listed: Vec<ListedRequest>,
    /// The reason why the directory cannot be read; `None` if it can.
    pub trouble: Option<String>,
    /// True if the directory is watched.
    pub listening: bool,
}
