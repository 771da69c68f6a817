//! Who asks for a debugger.

use crate::state::ListedRequest;

/// Requests as the directory was seen last.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Requests {
    /// The oldest first.
    pub listed: Vec<ListedRequest>,
    /// Why it is not known who asks.
    pub trouble: Option<String>,
    /// The directory is looked at again and again.
    pub listening: bool,
}
