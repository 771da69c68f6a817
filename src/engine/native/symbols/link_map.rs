//! What the dynamic linker says of itself: `struct r_debug` and its list (`<link.h>`), found by the auxiliary vector
//! (getauxval(3)).

use super::image::ImageError;
use super::loaded::LoadedImages;
use super::store::SymbolStore;
use super::thread_access::ReadMemory;
use crate::model::{LoadBias, VirtualAddress};
use std::path::Path;

/// What the kernel tells a program of itself (`/proc/PID/auxv`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AuxiliaryVector {
    /// `AT_PHDR`: the program headers in memory.
    pub program_headers: Option<VirtualAddress>,
    /// `AT_PHNUM`.
    pub program_header_count: u64,
    /// `AT_ENTRY`: the first instruction of the program itself.
    pub entry: Option<VirtualAddress>,
    /// `AT_BASE`: where the dynamic linker is; `None` when there is none.
    pub interpreter_base: Option<VirtualAddress>,
    /// `AT_SYSINFO_EHDR`: the library the kernel maps.
    pub vdso: Option<VirtualAddress>,
}

/// What the linker is doing (`r_state`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LinkerState {
    /// The list is complete.
    Consistent,
    /// Something is being added.
    Adding,
    /// Something is being removed.
    Deleting,
}

/// A file in the linker's list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LinkEntry {
    /// Its `struct link_map`.
    pub address: VirtualAddress,
    /// As the linker names it; empty for the executable.
    pub name: String,
    /// What loading added.
    pub bias: LoadBias,
}

/// The linker's list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LinkMap {
    /// In its order, the executable first.
    pub entries: Vec<LinkEntry>,
    /// Where the linker comes by when the list changes (`r_brk`); a breakpoint there sees every library.
    pub event: Option<VirtualAddress>,
    /// What it is doing.
    pub state: LinkerState,
}

impl AuxiliaryVector {
    /// From the bytes of `/proc/PID/auxv`.
    pub fn parse(_bytes: &[u8]) -> Self {
        Self::default()
    }
}

impl LinkMap {
    /// Reads the list of a process; `None` while the linker has not made it, and in a static program.
    pub fn read(
        _executable: &super::image::Image,
        _auxiliary: &AuxiliaryVector,
        _memory: &dyn ReadMemory,
    ) -> Option<Self> {
        None
    }
}

impl LoadedImages {
    /// The files of a process: the executable, by `open` (its path, or `/proc/PID/exe`), and what the linker's list
    /// names; without a list the executable and its interpreter, which is what a process has at its first instruction.
    /// A library that cannot be read is left out and named in the second part.
    pub fn of_process(
        _store: &SymbolStore,
        _executable: &Path,
        _auxiliary: &AuxiliaryVector,
        _link_map: Option<&LinkMap>,
    ) -> Result<(Self, Vec<ImageError>), ImageError> {
        Ok((Self::default(), Vec::new()))
    }
}

/// Where a breakpoint sees every change of the list before the list exists: `_dl_debug_state` of the interpreter.
pub fn linker_event(images: &LoadedImages, auxiliary: &AuxiliaryVector) -> Option<VirtualAddress> {
    let linker = images.find(auxiliary.interpreter_base?)?;
    let address = linker.image.symbol("_dl_debug_state").or_else(|| linker.image.symbol("r_debug_state"))?;
    Some(linker.bias.loaded(address))
}
