//! Walks over the entries of a unit's code: functions, inlined instances, and the blocks around an address.

use super::ranges::{Inlined, Span, UnitFunctions};
use crate::dwarf::covered::has_addresses;
use crate::dwarf::debug_info::DebugInformation;
use crate::dwarf::entry::{Entry, Slice};
use crate::dwarf::unit::Unit;
use gimli::UnitOffset;
use model::FileAddress;
use rustc_hash::FxHashMap;
use std::ops::Range;

impl Unit {
    /// Returns the functions by address, reading them on first use.
    pub(crate) fn functions(&self, debug: &DebugInformation) -> &UnitFunctions {
        self.functions.get_or_init(|| {
            self.reads("functions");
            read(debug, self)
        })
    }

    /// Returns every inlined instance in the unit.
    pub(crate) fn inlined(&self, debug: &DebugInformation) -> &[Inlined] {
        self.functions(debug).inlined.get_or_init(|| {
            let mut all = Vec::new();
            let mut ranges = Vec::new();
            for_each_in_code(debug, self, &[gimli::DW_TAG_inlined_subroutine], |entry| {
                let origin = entry.attr_value(gimli::DW_AT_abstract_origin);
                let Some(origin) = origin.and_then(|value| debug.follow(self, value)) else { return };
                ranges.clear();
                debug.ranges_of(self, entry, &mut ranges);
                all.extend(debug.entry_address(self, entry, &ranges).map(|entry| Inlined { origin, entry }));
            });
            all
        })
    }
}

fn read(debug: &DebugInformation, unit: &Unit) -> UnitFunctions {
    let mut spans = Vec::new();
    let mut ranges = Vec::new();
    let mut hosts = FxHashMap::default();
    let mut around: Vec<(isize, UnitOffset)> = Vec::new();
    for_each_entry(unit, &[gimli::DW_TAG_subprogram], |entry, depth| {
        if unit.language.nests_functions() {
            while around.last().is_some_and(|(outer, _)| depth <= *outer) {
                around.pop();
            }
            hosts.extend(around.last().map(|(_, host)| (entry.offset(), *host)));
            around.push((depth, entry.offset()));
        }
        ranges.clear();
        debug.ranges_of(unit, entry, &mut ranges);
        let Some(first) = debug.entry_address(unit, entry, &ranges) else { return };
        spans.extend(ranges.iter().map(|range| Span {
            start: range.start,
            end: range.end,
            entry: first,
            offset: entry.offset(),
        }));
    });
    spans.sort_by_key(|span| span.start);
    UnitFunctions::new(spans, hosts)
}

/// A lexical block or inlined function that covers an address.
#[derive(Clone, Debug)]
pub(crate) struct Scope {
    pub(crate) entry: Entry,
    /// The contiguous parts of its code.
    pub(crate) ranges: Vec<Range<u64>>,
}

/// Calls `found` for each entry with one of the tags, anywhere in the unit, with its depth. Entries after a damaged one
/// are not reached.
pub(crate) fn for_each_entry(unit: &Unit, tags: &[gimli::DwTag], mut found: impl FnMut(&Entry, isize)) {
    let Ok(mut entries) = unit.dwarf.entries_raw(None) else { return };
    let mut entry = Entry::null();
    while !entries.is_empty() {
        let depth = entries.next_depth();
        // An entry with one of the tags is read twice, others are skipped: reading allocates, skipping does not.
        let before = entries.clone();
        let Ok(abbreviation) = entries.read_abbreviation() else { return };
        let Some(abbreviation) = abbreviation else { continue };
        if tags.contains(&abbreviation.tag()) {
            entries = before;
            if !matches!(entries.read_entry(&mut entry), Ok(true)) {
                return;
            }
            found(&entry, depth);
        } else if entries.skip_attributes(abbreviation.attributes()).is_err() {
            return;
        }
    }
}

/// As [`for_each_entry`], but leaves out functions that the linker discarded: large ones may be described at addresses
/// of other code.
pub(crate) fn for_each_in_code(
    debug: &DebugInformation,
    unit: &Unit,
    tags: &[gimli::DwTag],
    mut found: impl FnMut(&Entry),
) {
    let Ok(mut entries) = unit.dwarf.entries_raw(None) else { return };
    let mut entry = Entry::null();
    let mut ranges = Vec::new();
    // The functions around the entry, by depth, and whether they have code.
    let mut around: Vec<(isize, bool)> = Vec::new();
    while !entries.is_empty() {
        let (before, depth) = (entries.clone(), entries.next_depth());
        while around.last().is_some_and(|(outer, _)| depth <= *outer) {
            around.pop();
        }
        let Ok(abbreviation) = entries.read_abbreviation() else { return };
        let Some(abbreviation) = abbreviation else { continue };
        let is_wanted = tags.contains(&abbreviation.tag()) && around.last().is_none_or(|(_, kept)| *kept);
        let is_function = abbreviation.tag() == gimli::DW_TAG_subprogram && abbreviation.has_children();
        if !is_wanted && !is_function {
            if entries.skip_attributes(abbreviation.attributes()).is_err() {
                return;
            }
            continue;
        }
        entries = before;
        if !matches!(entries.read_entry(&mut entry), Ok(true)) {
            return;
        }
        if is_wanted {
            found(&entry);
        }
        if is_function && has_addresses(&entry) {
            ranges.clear();
            debug.ranges_of(unit, &entry, &mut ranges);
            around.push((depth, !ranges.is_empty()));
        }
    }
}

/// Returns the scopes that cover an address within a function, outermost first: lexical blocks and inlined functions,
/// but not the function itself.
pub(crate) fn scopes_at(
    debug: &DebugInformation,
    unit: &Unit,
    function: UnitOffset,
    address: FileAddress,
) -> Vec<Scope> {
    let mut scopes = Vec::new();
    let Ok(mut tree) = unit.dwarf.entries_tree(Some(function)) else { return scopes };
    if let Ok(root) = tree.root() {
        descend(debug, unit, root, address, &mut scopes, 0);
    }
    scopes
}

/// No compiler nests blocks deeper than this.
const DEEPEST: usize = 256;

fn descend(
    debug: &DebugInformation,
    unit: &Unit,
    node: gimli::EntriesTreeNode<'_, '_, Slice>,
    address: FileAddress,
    scopes: &mut Vec<Scope>,
    depth: usize,
) {
    let mut children = node.children();
    while let Ok(Some(child)) = children.next() {
        let tag = child.entry().tag();
        if tag != gimli::DW_TAG_lexical_block && tag != gimli::DW_TAG_inlined_subroutine {
            continue;
        }
        let mut ranges = Vec::new();
        debug.ranges_of(unit, child.entry(), &mut ranges);
        if !ranges.iter().any(|range| range.contains(&address.0)) {
            // A block whose code was all moved has no addresses; blocks within it may have some.
            if ranges.is_empty() && tag == gimli::DW_TAG_lexical_block && depth < DEEPEST {
                let before = scopes.len();
                descend(debug, unit, child, address, scopes, depth + 1);
                if scopes.len() > before {
                    return;
                }
            }
            continue;
        }
        scopes.push(Scope { entry: child.entry().clone(), ranges });
        if depth < DEEPEST {
            descend(debug, unit, child, address, scopes, depth + 1);
        }
        return;
    }
}
