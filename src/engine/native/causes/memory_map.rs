//! The mappings and limits of a process, read when they are needed.

use crate::native::ptrace::Tid;
use crate::process::memory::{Mapping, mappings};
use crate::process::procfs::stack_limit;
use std::cell::OnceCell;

/// The memory map of a stopped process.
pub(super) struct MemoryMap {
    pid: Tid,
    mappings: OnceCell<Vec<Mapping>>,
}

impl MemoryMap {
    pub(super) fn of(pid: Tid) -> Self {
        Self { pid, mappings: OnceCell::new() }
    }

    /// Returns the mapping that contains an address.
    pub(super) fn mapping(&self, address: u64) -> Option<&Mapping> {
        let mappings = self.mappings.get_or_init(|| mappings(self.pid));
        mappings.iter().find(|mapping| (mapping.start..mapping.end).contains(&address))
    }

    /// Returns the limit of the first thread's stack in bytes; `None` if it has none.
    pub(super) fn stack_limit(&self) -> Option<u64> {
        stack_limit(self.pid)
    }
}
