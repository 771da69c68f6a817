//! The addresses that units and their entries cover. What the linker has left out is still described, at addresses that
//! it has made up: 0, 1 or the greatest ones, and what was said relative to those. There is no code of it anywhere.

use super::debug_info::DebugInformation;
use super::entry::Entry;
use super::entry::Slice;
use super::left_out::LeftOut;
use super::unit::Unit;
use gimli::AttributeValue;
use model::FileAddress;
use std::ops::Range;

impl Unit {
    /// Addresses of the unit without code.
    fn left_out(&self, debug: &DebugInformation) -> &LeftOut {
        self.left_out.get_or_init(|| {
            let (mut without_code, mut with_code) = (Vec::new(), Vec::new());
            debug.said_of_unit(self, &mut |begin, end| {
                let ranges = if debug.is_code(begin) { &mut with_code } else { &mut without_code };
                ranges.push(begin..end);
            });
            LeftOut::new(without_code, with_code)
        })
    }
}

impl DebugInformation {
    pub(crate) fn is_code(&self, address: u64) -> bool {
        self.file.is_executable(FileAddress(address))
    }

    /// The linker has dropped the code described at an address: there are no bytes of it.
    pub(crate) fn is_left_out(&self, address: u64) -> bool {
        let contents = self.file.contents();
        // What is empty may be at the end.
        !(contents.start..=contents.end).contains(&FileAddress(address))
    }

    /// The addresses that a unit covers as it says itself; of one that is split its skeleton does.
    pub(crate) fn ranges_of_unit(&self, unit: &Unit, into: &mut Vec<Range<u64>>) {
        self.said_of_unit(unit, &mut |begin, end| {
            if self.is_code(begin) {
                into.push(begin..end);
            }
        });
    }

    fn said_of_unit(&self, unit: &Unit, found: &mut impl FnMut(u64, u64)) {
        let (dwarf, unit) = match (&unit.skeleton, self.parts().own()) {
            (Some(skeleton), Some(own)) => (own, &**skeleton),
            _ => match self.dwarf(unit) {
                Some(dwarf) => (dwarf, &unit.dwarf),
                None => return,
            },
        };
        if let Ok(root) = unit.entry(unit.header.root_offset()) {
            said(dwarf, unit, &root, found);
        }
    }

    /// The addresses that an entry covers, those left out at which there is no code.
    pub(crate) fn ranges_of(&self, unit: &Unit, entry: &Entry, into: &mut Vec<Range<u64>>) {
        let Some(dwarf) = self.dwarf(unit) else { return };
        said(dwarf, &unit.dwarf, entry, &mut |begin, end| {
            if self.is_code(begin) && !unit.left_out(self).covers(begin) {
                into.push(begin..end);
            }
        });
    }
}

/// The addresses that an entry is said to cover.
fn said(dwarf: &gimli::Dwarf<Slice>, unit: &gimli::Unit<Slice>, entry: &Entry, found: &mut impl FnMut(u64, u64)) {
    let mut found = |begin, end| {
        if begin < end {
            found(begin, end);
        }
    };
    if let Some(value) = entry.attr_value(gimli::DW_AT_ranges) {
        if let Ok(Some(mut list)) = dwarf.attr_ranges(unit, value) {
            while let Ok(Some(range)) = list.next() {
                found(range.begin, range.end);
            }
        }
        return;
    }
    let address = |value| dwarf.attr_address(unit, value).ok().flatten();
    let Some(low) = entry.attr_value(gimli::DW_AT_low_pc).and_then(address) else { return };
    let high = match entry.attr_value(gimli::DW_AT_high_pc) {
        Some(AttributeValue::Udata(size)) => low.saturating_add(size),
        Some(value) => address(value).unwrap_or(low),
        None => low,
    };
    found(low, high);
}

pub(crate) fn has_addresses(entry: &Entry) -> bool {
    entry.attr(gimli::DW_AT_low_pc).is_some() || entry.attr(gimli::DW_AT_ranges).is_some()
}
