//! The files that hold the debug information of one image: its own (or its separate debug file), those split from it at
//! compilation (`.dwo`, `.dwp`; DWARF 5, 7.3), and one shared with other images (DWARF 5, 7.3.6; `dwz -m`). Each is a
//! part with its own units.

use super::damage::Damage;
use super::entry::Slice;
use gimli::{DwoId, Section as _, UnitHeader, UnitOffset, UnitType};

pub(crate) type Dwarf = gimli::Dwarf<Slice>;

/// Sections of one file, or of one contribution to a package.
pub(crate) struct Part {
    pub(crate) dwarf: Dwarf,
    /// The start and number of each unit in `.debug_info`.
    starts: Vec<(u64, u32)>,
}

/// The place of a unit.
pub(crate) struct Slot {
    pub(crate) part: u32,
    pub(crate) header: UnitHeader<Slice>,
    /// The offset of the header in its section.
    pub(crate) start: u64,
    /// The skeleton of a split unit, in the first part.
    pub(crate) skeleton: Option<UnitHeader<Slice>>,
}

/// All parts and the units in them.
#[derive(Default)]
pub(crate) struct Parts {
    parts: Vec<Part>,
    pub(crate) slots: Vec<Slot>,
    /// The index of the part shared with other images.
    shared: Option<u32>,
}

impl Parts {
    /// Adds a part with all its units; returns its number.
    pub(crate) fn add(&mut self, dwarf: Dwarf, damage: &Damage) -> u32 {
        let part = self.parts.len() as u32;
        let mut starts = Vec::new();
        let info: &'static [u8] = dwarf.debug_info.reader().slice();
        let mut start = 0;
        while let Some(length) = unit_length(info, start) {
            // Even if a header cannot be read, it gives the length of its unit.
            match dwarf.debug_info.header_from_offset(gimli::DebugInfoOffset(start)) {
                Ok(header) => {
                    starts.push((start as u64, self.slots.len() as u32));
                    self.slots.push(Slot { part, header, start: start as u64, skeleton: None });
                }
                Err(error) => damage.at(start as u64, error),
            }
            start += length;
        }
        if start < info.len() {
            damage.at(start as u64, "it is longer than the file states");
        }
        let mut headers = dwarf.type_units();
        while let Ok(Some(header)) = headers.next() {
            let start = header.debug_types_offset().map_or(0, |offset| offset.0 as u64);
            self.slots.push(Slot { part, header, start, skeleton: None });
        }
        self.parts.push(Part { dwarf, starts });
        part
    }

    /// Adds the part shared with other images.
    pub(crate) fn add_shared(&mut self, dwarf: Dwarf, damage: &Damage) {
        self.shared = Some(self.add(dwarf, damage));
    }

    /// True if no other file has a part of the information.
    pub(crate) fn is_whole(&self) -> bool {
        self.parts.len() == 1
    }

    /// Returns the first part, that of the image itself.
    pub(crate) fn own(&self) -> Option<&Dwarf> {
        self.parts.first().map(|part| &part.dwarf)
    }

    pub(crate) fn dwarf(&self, part: u32) -> Option<&Dwarf> {
        self.parts.get(part as usize).map(|part| &part.dwarf)
    }

    /// Returns the unit at an offset in `.debug_info` of a part, and the offset within the unit.
    pub(crate) fn at(&self, part: u32, offset: u64) -> Option<(u32, UnitOffset)> {
        let starts = &self.parts.get(part as usize)?.starts;
        let end = starts.partition_point(|(start, _)| *start <= offset);
        let (start, slot) = starts.get(end.checked_sub(1)?)?;
        Some((*slot, UnitOffset((offset - start) as usize)))
    }

    /// As [`Parts::at`], for the part shared with other images.
    pub(crate) fn at_shared(&self, offset: u64) -> Option<(u32, UnitOffset)> {
        self.at(self.shared?, offset)
    }

    /// Replaces a skeleton by its unit in a split part; false if the part does not have it.
    pub(crate) fn put(&mut self, skeleton: usize, part: u32, identifier: DwoId) -> bool {
        let Some(dwarf) = self.dwarf(part) else { return false };
        let mine = |slot: &Slot| {
            let id = match slot.header.type_() {
                UnitType::SplitCompilation(id) => Some(id),
                UnitType::Compilation => dwarf.unit(slot.header).ok().and_then(|unit| unit.dwo_id),
                _ => None,
            };
            slot.part == part && slot.skeleton.is_none() && id == Some(identifier)
        };
        let Some(found) = self.slots.iter().rposition(mine) else { return false };
        let whole = self.slots.remove(found);
        let starts = self.parts.get_mut(part as usize).map(|part| &mut part.starts);
        for (_, slot) in starts.into_iter().flatten() {
            match (*slot as usize).cmp(&found) {
                std::cmp::Ordering::Equal => *slot = skeleton as u32,
                std::cmp::Ordering::Greater => *slot -= 1,
                std::cmp::Ordering::Less => {}
            }
        }
        let Some(slot) = self.slots.get_mut(skeleton) else { return false };
        *slot = Slot { skeleton: Some(slot.header), ..whole };
        true
    }
}

/// Returns the total length of a unit, with its length field (DWARF 5, 7.4); `None` at the end of the section.
fn unit_length(info: &[u8], start: usize) -> Option<usize> {
    let rest = info.get(start..)?;
    let short = u32::from_le_bytes(*rest.first_chunk::<4>()?);
    let length = match short {
        0xffff_ffff => u64::from_le_bytes(*rest.get(4..)?.first_chunk::<8>()?).checked_add(12)?,
        0xffff_fff0.. => return None,
        short => u64::from(short) + 4,
    };
    usize::try_from(length).ok().filter(|length| *length <= rest.len())
}
