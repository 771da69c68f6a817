//! The separate file that holds the debug information of another.

use super::blocking_reads;
use crate::elf::debug_link;
use crate::elf::file::ElfFile;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// Located on first use.
#[derive(Default)]
pub(crate) struct SeparateFile {
    found: OnceLock<Option<Box<(ElfFile, PathBuf)>>>,
}

impl SeparateFile {
    /// Returns the separate debug file of a file, and its path.
    pub(crate) fn of(&self, own: &ElfFile, path: &str) -> Option<&(ElfFile, PathBuf)> {
        let find = || {
            blocking_reads::reads(|| format!("the file of the debug information of {path}"));
            debug_link::find(own, Path::new(path)).map(Box::new)
        };
        self.found.get_or_init(find).as_deref()
    }

    pub(crate) fn file(&self, own: &ElfFile, path: &str) -> Option<&ElfFile> {
        self.of(own, path).map(|(file, _)| file)
    }

    /// Returns the separate file if it was located before; does not search.
    pub(crate) fn known(&self) -> Option<&ElfFile> {
        self.found.get().and_then(Option::as_deref).map(|(file, _)| file)
    }
}
