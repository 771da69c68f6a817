//! Addresses as written in an ELF file and as loaded: two types, one conversion.

use serde::{Deserialize, Serialize};
use std::fmt;

/// An address as the ELF file and its DWARF spell it, before loading.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct FileAddress(pub u64);

/// An address in the memory of a running process.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct VirtualAddress(pub u64);

/// The amount that loading adds to every address of a file (elf(5); zero for an executable that is not position
/// independent).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LoadBias(pub u64);

impl LoadBias {
    /// Converts an address in the file to its address in memory.
    pub fn loaded(self, address: FileAddress) -> VirtualAddress {
        VirtualAddress(address.0.wrapping_add(self.0))
    }

    /// Converts an address in memory to its address in the file.
    pub fn unloaded(self, address: VirtualAddress) -> FileAddress {
        FileAddress(address.0.wrapping_sub(self.0))
    }
}

impl fmt::Display for FileAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:#x}", self.0)
    }
}

impl fmt::Display for VirtualAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:#x}", self.0)
    }
}
