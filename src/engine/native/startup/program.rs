//! The files that a process has mapped, and the state of the search for them.

use crate::native::inspect::user_frame::UserFrameSearch;
use debuginfo::{AuxiliaryVector, LoadedImages};
use std::collections::BTreeSet;
use std::sync::Arc;

/// The files that a process has mapped, and the state of the search for them.
#[derive(Default)]
pub(in crate::native) struct Program {
    pub images: LoadedImages,
    /// The auxiliary vector that the kernel passed to the program.
    pub auxiliary: AuxiliaryVector,
    /// Counts the changes of `images`.
    pub version: u32,
    /// Counts the programs that the process has executed.
    pub generation: u32,
    /// The number of searches for files in progress, which a stop has to wait for.
    pub loading: u32,
    /// The number of searches for breakpoints alone. A stop waits for them, too: its receiver may continue the rank
    /// past a breakpoint that is not placed yet.
    pub placing: u32,
    /// True while the debug information that a stop needs is being read.
    pub reading: bool,
    /// The search for the frame of the user's code, which a stop outside of it waits for, too.
    pub user_frame: UserFrameSearch,
    /// The file of `main`, which a bare line number refers to if there is no frame with a file.
    pub file: Option<Arc<str>>,
    /// Files whose debug information has been reported as damaged, by image index.
    damaged: BTreeSet<u32>,
}

impl Program {
    /// The program of a process that is attached or taken over; its files are being searched for.
    pub(in crate::native) fn of_running() -> Self {
        Self { generation: 1, version: 1, loading: 1, ..Self::default() }
    }

    /// The program after an exec; its files are being searched for.
    pub(in crate::native) fn after(&self) -> Self {
        Self { generation: self.generation + 1, version: self.version + 1, loading: 1, ..Self::default() }
    }

    /// Returns the files with damaged debug information that have not been reported yet.
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
