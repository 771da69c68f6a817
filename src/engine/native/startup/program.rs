//! The files that a process has mapped, and how they were found.

use crate::native::ptrace::{MemoryPrefetch, Tid};
use debuginfo::{AuxiliaryVector, LinkEntry, LoadedImages};
use model::{LibraryEvents, VirtualAddress};
use std::collections::BTreeSet;
use std::sync::Arc;

/// The files a process has mapped, and how they were found.
#[derive(Default)]
pub(in crate::native) struct Program {
    /// The files.
    pub images: LoadedImages,
    /// What the kernel said to it.
    pub auxiliary: AuxiliaryVector,
    /// Where the linker comes by when its list changes, what that list was, and who was told.
    pub libraries: Libraries,
    /// Counts the changes of `images`.
    pub version: u32,
    /// Counts the programs the process has been.
    pub generation: u32,
    /// Searches under way for files, that a stop has to wait for.
    pub loading: u32,
    /// Searches under way for breakpoints alone. A stop waits for them, too: who is told of it may send the rank on, past
    /// a breakpoint that is not placed yet.
    pub placing: u32,
    /// What a stop needs is being read.
    pub reading: bool,
    /// The file that a line without a file is in, when no frame says more: that of `main`.
    pub file: Option<Arc<str>>,
    /// Files whose debug information has been said to be damaged, by number.
    pub damaged: BTreeSet<u32>,
}

/// What is known of the linker's list.
#[derive(Default)]
pub(in crate::native) struct Libraries {
    /// Where the linker comes by when its list changes.
    pub hooks: Vec<VirtualAddress>,
    /// These have breakpoints.
    pub hooked: bool,
    /// The list when the files were found last.
    pub entries: Vec<LinkEntry>,
    /// The list at the last event.
    pub seen: Vec<LinkEntry>,
    /// Where it was.
    pub prefetch: MemoryPrefetch,
    /// The files have been found once.
    pub found: bool,
    /// What was there at the first stop: it is never unloaded.
    pub fixed: Option<Vec<LinkEntry>>,
    /// Events, and what became of them.
    pub events: LibraryEvents,
    /// A thread that waits for the front end to have the breakpoints looked for.
    pub waiting: Option<Tid>,
}

impl Libraries {
    /// Of a process that is taken over while it runs: which files were there from the beginning is not known, and any may
    /// be unloaded.
    pub(in crate::native) fn of_running() -> Self {
        Self { fixed: Some(Vec::new()), ..Self::default() }
    }
}

/// The last part of a path.
pub(in crate::native) fn base_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}
