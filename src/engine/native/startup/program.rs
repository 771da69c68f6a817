//! The files that a process has mapped, and how they were found.

use debuginfo::{AuxiliaryVector, LoadedImages};
use std::collections::BTreeSet;
use std::sync::Arc;

/// The files a process has mapped, and how they were found.
#[derive(Default)]
pub(in crate::native) struct Program {
    /// The files.
    pub images: LoadedImages,
    /// What the kernel said to it.
    pub auxiliary: AuxiliaryVector,
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
    damaged: BTreeSet<u32>,
}

impl Program {
    /// Of a process that was there before: its files are being looked for.
    pub(in crate::native) fn of_running() -> Self {
        Self { generation: 1, version: 1, loading: 1, ..Self::default() }
    }

    /// Of a process that has just executed another one.
    pub(in crate::native) fn after(&self) -> Self {
        Self { generation: self.generation + 1, version: self.version + 1, loading: 1, ..Self::default() }
    }

    /// Files whose debug information is damaged, each once.
    pub(in crate::native) fn new_damage(&mut self) -> Vec<String> {
        let damaged = self.images.iter().filter_map(|loaded| Some((loaded.image.index(), loaded.image.damage()?)));
        let new = damaged.filter(|(index, _)| !self.damaged.contains(index));
        let new: Vec<_> = new.map(|(index, fault)| (index, fault.to_string())).collect();
        new.into_iter().filter_map(|(index, fault)| self.damaged.insert(index).then_some(fault)).collect()
    }
}

/// The last part of a path.
pub(in crate::native) fn base_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}
