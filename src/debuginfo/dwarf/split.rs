//! Units split from their file at compilation (`-gsplit-dwarf`; DWARF 5, 3.1.2 and 7.3.2): found in a package beside
//! the image, or in the files that the skeletons name.

use super::damage::Damage;
use super::debug_files::Parts;
use super::entry::Slice;
use crate::elf::file::ElfFile;
use gimli::{DwarfPackage, DwoId, EndianSlice, LittleEndian, UnitHeader, UnitType};
use std::convert::Infallible;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

/// A reference to a unit in another file.
struct Skeleton {
    slot: usize,
    identifier: DwoId,
    directory: PathBuf,
    file: PathBuf,
}

/// Adds the split units of the first part.
pub(crate) fn read(parts: &mut Parts, path: &Path, damage: &Damage) {
    let skeletons = skeletons(parts);
    if skeletons.is_empty() {
        return;
    }
    let package = package(path);
    if let (Some(package), Some(own)) = (&package, parts.own()) {
        let rows = 1..=package.tu_index.unit_count();
        let types: Vec<_> = rows.filter_map(|row| package.tu_sections(row, own).ok()).collect();
        for dwarf in types {
            parts.add(dwarf, damage);
        }
    }
    for skeleton in skeletons {
        let Some(own) = parts.own() else { return };
        let packed = package.as_ref().and_then(|package| package.find_cu(skeleton.identifier, own).ok().flatten());
        let found = match packed {
            Some(dwarf) => vec![dwarf],
            None => open(path, &skeleton).map(|file| contents(&file, own)).unwrap_or_default(),
        };
        let mut there = false;
        for dwarf in found {
            let part = parts.add(dwarf, damage);
            there |= parts.put(skeleton.slot, part, skeleton.identifier);
        }
        if !there {
            let file = skeleton.directory.join(&skeleton.file);
            damage.absent(&file.to_string_lossy());
        }
    }
}

fn skeletons(parts: &Parts) -> Vec<Skeleton> {
    let Some(own) = parts.own() else { return Vec::new() };
    // Before version 5, only attributes of the root entry mark a unit as split; it then has an address table.
    let older = !is_empty(&own.debug_addr);
    let may_be = |header: &UnitHeader<Slice>| match header.type_() {
        UnitType::Skeleton(_) => true,
        UnitType::Compilation => older && header.version() < 5,
        _ => false,
    };
    let slots = parts.slots.iter().enumerate().filter(|(_, slot)| slot.part == 0 && may_be(&slot.header));
    let read = |header: UnitHeader<Slice>| {
        let unit = own.unit(header).ok()?;
        let name = own.attr_string(&unit, unit.dwo_name().ok()??).ok()?;
        let path = |slice: Slice| PathBuf::from(OsStr::from_bytes(slice.slice()));
        Some((unit.dwo_id?, unit.comp_dir.map(path).unwrap_or_default(), path(name)))
    };
    slots
        .filter_map(|(index, slot)| {
            let (identifier, directory, file) = read(slot.header)?;
            Some(Skeleton { slot: index, identifier, directory, file })
        })
        .collect()
}

/// Returns the contents of a split unit's file: the unit, and types, each possibly with its own sections.
fn contents(file: &ElfFile, own: &gimli::Dwarf<Slice>) -> Vec<gimli::Dwarf<Slice>> {
    let section = |id: gimli::SectionId| {
        let bytes = id.dwo_name().map_or(&[][..], |name| file.section_data(name));
        Ok::<_, Infallible>(EndianSlice::new(bytes, LittleEndian))
    };
    let whole = gimli::DwarfSections::load(section).unwrap_or_else(|never| match never {});
    let slices = |name| file.all_section_data(name).into_iter().map(|bytes| EndianSlice::new(bytes, LittleEndian));
    let none = EndianSlice::new(&[][..], LittleEndian);
    let with = |info: Slice, types: Slice| {
        let mut dwarf = whole.borrow(|slice| *slice);
        dwarf.make_dwo(own);
        (dwarf.debug_info, dwarf.debug_types) = (info.into(), types.into());
        dwarf
    };
    let info = slices(".debug_info.dwo").map(|info| with(info, none));
    info.chain(slices(".debug_types.dwo").map(|types| with(none, types))).collect()
}

fn is_empty(section: &gimli::DebugAddr<Slice>) -> bool {
    use gimli::Section as _;
    section.reader().is_empty()
}

/// Opens the package of an image, whose name ends with `.dwp`.
fn package(path: &Path) -> Option<DwarfPackage<Slice>> {
    let mut name = OsString::from(fs::canonicalize(path).ok()?);
    name.push(".dwp");
    let path = PathBuf::from(name);
    let file = ElfFile::open(&path).ok()?;
    let section = |id: gimli::SectionId| {
        let bytes = id.dwo_name().map_or(&[][..], |name| file.section_data(name));
        Ok::<_, gimli::Error>(EndianSlice::new(bytes, LittleEndian))
    };
    DwarfPackage::load(section, EndianSlice::new(&[], LittleEndian)).ok()
}

/// Opens the file of a split unit: in its compilation directory, or else beside the image, like gdb.
fn open(image: &Path, skeleton: &Skeleton) -> Option<ElfFile> {
    let beside = fs::canonicalize(image).ok();
    let beside = beside.as_deref().and_then(Path::parent).zip(skeleton.file.file_name());
    let places = [Some(skeleton.directory.join(&skeleton.file)), beside.map(|(directory, name)| directory.join(name))];
    places.into_iter().flatten().find_map(|place| ElfFile::open(&place).ok())
}
