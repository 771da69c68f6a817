//! The addresses that units and their entries cover. Code discarded by the linker is still described, at placeholder
//! addresses (0, 1 or the greatest ones) and at addresses relative to those, where it does not exist.

use super::debug_info::DebugInformation;
use super::entry::Entry;
use super::entry::EntryId;
use super::entry::Slice;
use super::left_out::LeftOut;
use super::unit::Unit;
use gimli::{AttributeValue, Operation};
use model::FileAddress;
use std::ops::Range;

impl Unit {
    /// Returns the unit's address ranges without code.
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

    /// True if the linker has dropped the code described at an address: the file has no bytes there.
    pub(crate) fn is_left_out(&self, address: u64) -> bool {
        let contents = self.file.contents();
        // An empty item may be at the end.
        !(contents.start..=contents.end).contains(&FileAddress(address))
    }

    /// True if the linker discarded a variable.
    pub(crate) fn is_discarded(&self, id: EntryId) -> bool {
        let location = self.inherited(id, gimli::DW_AT_location);
        let Some((unit, AttributeValue::Exprloc(expression))) = location else { return false };
        let mut rest = expression.0;
        let address = match Operation::parse(&mut rest, unit.dwarf.encoding()) {
            Ok(Operation::Address { address }) => Some(address),
            Ok(Operation::AddressIndex { index }) => self.address(unit, AttributeValue::DebugAddrIndex(index)),
            _ => None,
        };
        rest.is_empty() && address.is_some_and(|address| self.is_left_out(address))
    }

    /// Adds the addresses that a unit itself claims to cover; for a split unit, its skeleton's.
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

    /// Adds the addresses that an entry covers, without those of discarded code.
    pub(crate) fn ranges_of(&self, unit: &Unit, entry: &Entry, into: &mut Vec<Range<u64>>) {
        let Some(dwarf) = self.dwarf(unit) else { return };
        said(dwarf, &unit.dwarf, entry, &mut |begin, end| {
            if self.is_code(begin) && !unit.left_out(self).covers(begin) {
                into.push(begin..end);
            }
        });
    }

    /// The address at which an entry of a function begins (DWARF 5, 2.18): that said, if its `ranges` cover it, otherwise
    /// the beginning of the first. Parts that are rarely executed may be listed before it.
    pub(crate) fn entry_address(&self, unit: &Unit, entry: &Entry, ranges: &[Range<u64>]) -> Option<u64> {
        let first = ranges.first()?.start;
        let said = entry.attr_value(gimli::DW_AT_entry_pc).and_then(|value| match value {
            // From the base address of the entry.
            AttributeValue::Udata(offset) => first.checked_add(offset),
            AttributeValue::Data1(offset) => first.checked_add(offset.into()),
            AttributeValue::Data2(offset) => first.checked_add(offset.into()),
            AttributeValue::Data4(offset) => first.checked_add(offset.into()),
            AttributeValue::Data8(offset) => first.checked_add(offset),
            value => self.dwarf(unit)?.attr_address(&unit.dwarf, value).ok().flatten(),
        });
        Some(said.filter(|said| ranges.iter().any(|range| range.contains(said))).unwrap_or(first))
    }
}

/// Calls `found` with the ranges that an entry claims to cover.
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
