//! The mappings and limits of a process, read when they are needed.

use crate::native::ptrace::Tid;
use crate::process::memory::{Mapping, mappings};
use crate::process::procfs::stack_limit;
use std::cell::OnceCell;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

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

    /// Returns the path by which this process can reach a mapped file; `None` if the file has been removed.
    pub(super) fn file(&self, mapping: &Mapping) -> Option<PathBuf> {
        let inside = Path::new(&mapping.name).strip_prefix("/").ok()?;
        let path = Path::new("/proc").join(self.pid.to_string()).join("root").join(inside);
        // Another file may have the name by now.
        let is_same = path.metadata().is_ok_and(|found| found.is_file() && found.ino() == mapping.inode);
        is_same.then_some(path)
    }

    /// Returns the limit of the first thread's stack in bytes; `None` if it has none.
    pub(super) fn stack_limit(&self) -> Option<u64> {
        stack_limit(self.pid)
    }
}
