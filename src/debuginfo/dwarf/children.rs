//! The children of an entry. Some compilers record the sibling of an entry with children; otherwise it is found by
//! walking over them, once per entry, since blocks may be nested ten thousands deep.

use super::entry::{Entry, Slice};
use gimli::{AttributeValue, UnitOffset};
use rustc_hash::FxHashMap;
use std::sync::{Mutex, PoisonError};

/// The ends of entries with children, if they had to be searched for.
#[derive(Debug, Default)]
pub(crate) struct Ends(Mutex<FxHashMap<usize, usize>>);

/// Calls `found` for each child of an entry.
pub(crate) fn for_each_child(unit: &gimli::Unit<Slice>, ends: &Ends, entry: &Entry, mut found: impl FnMut(&Entry)) {
    let Ok(mut cursor) = unit.entries_raw(Some(entry.offset())) else { return };
    let mut child = Entry::null();
    if cursor.read_entry(&mut child) != Ok(true) || !child.has_children() {
        return;
    }
    while cursor.read_entry(&mut child) == Ok(true) {
        found(&child);
        if child.has_children() {
            let next = ends.behind(unit, &child).and_then(|next| unit.entries_raw(Some(next)).ok());
            let Some(next) = next else { return };
            cursor = next;
        }
    }
}

impl Ends {
    /// Returns the offset of the next entry that is not within this one.
    fn behind(&self, unit: &gimli::Unit<Slice>, entry: &Entry) -> Option<UnitOffset> {
        match entry.attr_value(gimli::DW_AT_sibling) {
            // A sibling reference that leads back is damaged.
            Some(AttributeValue::UnitRef(next)) if next.0 > entry.offset().0 => return Some(next),
            _ => {}
        }
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let begin = entry.offset().0;
        if let Some(end) = known.get(&begin) {
            return Some(UnitOffset(*end));
        }
        let mut cursor = unit.entries_raw(Some(entry.offset())).ok()?;
        let mut open = Vec::new();
        loop {
            let at = cursor.next_offset().0;
            if let Some(end) = known.get(&at) {
                cursor = unit.entries_raw(Some(UnitOffset(*end))).ok()?;
                continue;
            }
            match cursor.read_abbreviation().ok()? {
                Some(abbreviation) => {
                    cursor.skip_attributes(abbreviation.attributes()).ok()?;
                    if abbreviation.has_children() {
                        open.push(at);
                    }
                }
                None => {
                    known.insert(open.pop()?, cursor.next_offset().0);
                    if open.is_empty() {
                        return Some(cursor.next_offset());
                    }
                }
            }
        }
    }
}
