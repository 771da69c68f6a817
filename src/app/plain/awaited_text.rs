//! The text of a source file, until a stop in it is said.

use std::sync::Arc;
use std::time::Instant;

/// A file whose text was requested for a stop.
#[derive(Debug)]
pub(super) struct AwaitedText {
    pub(super) file: Arc<str>,
    /// The file that the user had opened.
    pub(super) before: Option<Arc<str>>,
    /// The stop is said without the text then.
    pub(super) until: Instant,
}
