//! The file that the debug information of another was separated into.

use super::blocking_reads;
use crate::elf::debug_link;
use crate::elf::file::ElfFile;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// Found when it is first asked for.
#[derive(Default)]
pub(crate) struct SeparateFile {
    found: OnceLock<Option<Box<(ElfFile, PathBuf)>>>,
}

impl SeparateFile {
    /// That of a file, and its path.
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

    /// Without looking for it.
    pub(crate) fn known(&self) -> Option<&ElfFile> {
        self.found.get().and_then(Option::as_deref).map(|(file, _)| file)
    }
}
