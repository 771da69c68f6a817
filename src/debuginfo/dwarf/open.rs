//! Opens the files with the debug information of an image: its own, those split from it, and the one it shares.

use super::damage::Damage;
use super::debug_files::{Dwarf, Parts};
use super::entry::Slice;
use super::{dwz, split};
use crate::elf::file::ElfFile;
use gimli::{EndianSlice, LittleEndian, Section as _};
use std::convert::Infallible;
use std::path::Path;

/// Finds the files of an image and reads the headers of all units in them.
pub(crate) fn open(file: &ElfFile, path: &Path, damage: &Damage) -> Parts {
    let mut parts = Parts::default();
    let mut dwarf = sections(file, |id| Some(id.name()));
    let shared = dwz::find(file, path, damage).map(|shared| sections(&shared, |id| Some(id.name())));
    if let Some(shared) = &shared {
        let section = |id: gimli::SectionId| Ok::<_, Infallible>(section_of(shared, id));
        let copy = gimli::Dwarf::load(section).unwrap_or_else(|never| match never {});
        dwarf.set_sup(copy);
    }
    parts.add(dwarf, damage);
    if let Some(shared) = shared {
        parts.add_shared(shared, damage);
    }
    split::read(&mut parts, path, damage);
    parts
}

/// Returns the sections of a file; `name` gives their names in it.
pub(crate) fn sections<'n>(file: &ElfFile, name: impl Fn(gimli::SectionId) -> Option<&'n str>) -> Dwarf {
    let section = |id| {
        let bytes = name(id).map_or(&[][..], |name| file.section_data(name));
        Ok::<_, Infallible>(EndianSlice::new(bytes, LittleEndian))
    };
    gimli::Dwarf::load(section).unwrap_or_else(|never| match never {})
}

fn section_of(dwarf: &Dwarf, id: gimli::SectionId) -> Slice {
    match id {
        gimli::SectionId::DebugStr => *dwarf.debug_str.reader(),
        gimli::SectionId::DebugInfo => *dwarf.debug_info.reader(),
        _ => EndianSlice::new(&[], LittleEndian),
    }
}
