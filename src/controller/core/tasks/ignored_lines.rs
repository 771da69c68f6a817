//! The lines of gdb without an effect here that scripts have had.

use std::collections::BTreeSet;
use std::sync::Arc;

/// The lines that were ignored.
#[derive(Debug, Default)]
pub(in crate::core) struct IgnoredLines {
    /// The scripts and their lines about which a note was shown.
    pub(in crate::core) said: BTreeSet<(Option<Arc<str>>, String)>,
    /// True if one of them may have defined commands.
    pub(in crate::core) commands: bool,
}
