//! What is known of the libraries of a rank, and what gdb has been told to do about them.

use model::LibraryEvents;
use std::path::Path;
use std::sync::Arc;

/// What gdb does when the list changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Watching {
    /// The rank stops.
    pub(super) stops: bool,
    /// Symbols are read.
    pub(super) reads: bool,
}

/// As gdb is to begin with.
pub(super) const AT_FIRST: Watching = Watching { stops: false, reads: true };

/// What is known of libraries.
#[derive(Debug)]
pub(super) struct Libraries {
    pub(super) watching: Watching,
    /// There are some whose symbols were not read.
    pub(super) behind: bool,
    /// Breakpoints have moved since the rank was set going.
    pub(super) moved: bool,
    /// What was there at the first stop: it is never unloaded.
    pub(super) fixed: Option<Vec<Arc<str>>>,
    /// Something came before the first stop.
    pub(super) came_early: bool,
    pub(super) events: LibraryEvents,
}

impl Default for Libraries {
    fn default() -> Self {
        let events = LibraryEvents::default();
        Self { watching: AT_FIRST, behind: false, moved: false, fixed: None, came_early: false, events }
    }
}

impl Libraries {
    /// Of a process that has run already: which of those that are there were there from the start nobody knows, but for
    /// the program itself.
    pub(super) fn of_running(executable: &Path) -> Self {
        Self { fixed: Some(vec![executable.to_string_lossy().into()]), ..Self::default() }
    }
}
