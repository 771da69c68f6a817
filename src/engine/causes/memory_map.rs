//! The mappings and limits of a process, read when they are needed.

use crate::process::memory::{Mapping, mappings};
use crate::process::procfs::stack_limit;
use std::cell::OnceCell;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

/// The memory map of a stopped process.
pub(crate) struct MemoryMap {
    /// `None` for a process that is known only by its core file.
    pid: Option<i32>,
    /// The path of the program, if the process is not asked for it.
    program: PathBuf,
    mappings: OnceCell<Vec<Mapping>>,
}

impl MemoryMap {
    pub(crate) fn of(pid: i32) -> Self {
        Self { pid: Some(pid), program: PathBuf::new(), mappings: OnceCell::new() }
    }

    /// The memory map that a core file has.
    pub(crate) fn of_core_file(mappings: Vec<Mapping>, program: PathBuf) -> Self {
        Self { pid: None, program, mappings: mappings.into() }
    }

    /// A map of one piece of writable memory.
    #[cfg(test)]
    pub(super) fn fake(start: u64, end: u64) -> Self {
        let name = "[heap]".to_owned();
        let heap = Mapping { start, end, offset: 0, executable: false, changes: true, inode: 0, name };
        Self { pid: Some(0), program: PathBuf::new(), mappings: OnceCell::from(vec![heap]) }
    }

    fn all(&self) -> &[Mapping] {
        self.mappings.get_or_init(|| self.pid.map(mappings).unwrap_or_default())
    }

    /// Returns the mapping that contains an address.
    pub(crate) fn mapping(&self, address: u64) -> Option<&Mapping> {
        self.all().iter().find(|mapping| (mapping.start..mapping.end).contains(&address))
    }

    /// Returns the first mapping with this name: a path, or a word in brackets.
    pub(super) fn named(&self, name: &str) -> Option<&Mapping> {
        self.all().iter().find(|mapping| mapping.name == name)
    }

    /// Returns the initialised variables of the program and of libraries whose file names begin with one of these words.
    pub(super) fn variables_of(&self, libraries: &[&str]) -> impl Iterator<Item = &Mapping> {
        let program = match self.pid {
            Some(pid) => std::fs::read_link(format!("/proc/{pid}/exe")).unwrap_or_default(),
            None => self.program.clone(),
        };
        self.all().iter().filter(move |mapping| {
            let file = mapping.name.rsplit('/').next().unwrap_or_default();
            let is_wanted =
                Path::new(&mapping.name) == program || libraries.iter().any(|start| file.starts_with(start));
            mapping.changes && mapping.inode != 0 && is_wanted
        })
    }

    /// Returns the path by which this process can reach a mapped file; `None` if the file has been removed.
    pub(crate) fn file(&self, mapping: &Mapping) -> Option<PathBuf> {
        let inside = Path::new(&mapping.name).strip_prefix("/").ok()?;
        let path = Path::new("/proc").join(self.pid?.to_string()).join("root").join(inside);
        // Another file may have the name by now.
        let is_same = path.metadata().is_ok_and(|found| found.is_file() && found.ino() == mapping.inode);
        is_same.then_some(path)
    }

    /// Returns the limit of the first thread's stack in bytes; `None` if it has none.
    pub(crate) fn stack_limit(&self) -> Option<u64> {
        stack_limit(self.pid?)
    }
}
