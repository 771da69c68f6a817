//! The functions of a unit by address, and where they were inlined.

use crate::dwarf::covered::has_addresses;
use crate::dwarf::debug_info::{DebugInformation, Entry, EntryId};
use crate::dwarf::unit::Unit;
use gimli::UnitOffset;
use model::FileAddress;
use std::ops::Range;
use std::sync::OnceLock;

/// A contiguous part of a function.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Span {
    pub(crate) start: u64,
    pub(crate) end: u64,
    /// Where the function is entered: the beginning of its first part.
    pub(crate) entry: u64,
    pub(crate) offset: UnitOffset,
}

/// An inlined instance of a function.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Inlined {
    /// Which function.
    pub(crate) origin: EntryId,
    /// The first address of its first part.
    pub(crate) entry: u64,
}

/// The functions of a unit.
pub(crate) struct UnitFunctions {
    /// By start.
    spans: Vec<Span>,
    inlined: OnceLock<Vec<Inlined>>,
}

/// A function that was inlined at an address, with what it was inlined into around it.
#[derive(Clone, Debug)]
pub(crate) struct Scope {
    pub(crate) entry: Entry,
    /// The parts of it.
    pub(crate) ranges: Vec<Range<u64>>,
}

impl UnitFunctions {
    pub(crate) fn read(debug: &DebugInformation, unit: &Unit) -> Self {
        let mut spans = Vec::new();
        let mut ranges = Vec::new();
        for_each_entry(unit, &[gimli::DW_TAG_subprogram], |entry| {
            ranges.clear();
            debug.ranges_of(unit, entry, &mut ranges);
            let Some(first) = ranges.first().map(|range| range.start) else { return };
            spans.extend(ranges.iter().map(|range| Span {
                start: range.start,
                end: range.end,
                entry: first,
                offset: entry.offset(),
            }));
        });
        spans.sort_by_key(|span| span.start);
        Self { spans, inlined: OnceLock::new() }
    }

    pub(crate) fn spans(&self) -> impl Iterator<Item = &Span> {
        self.spans.iter()
    }

    /// The part of a function that covers an address. Functions do not overlap, but for aliases.
    pub(crate) fn covering(&self, address: FileAddress) -> Option<&Span> {
        let end = self.spans.partition_point(|span| span.start <= address.0);
        self.spans.get(..end)?.iter().rev().take(8).find(|span| address.0 < span.end)
    }

    /// Every inlined instance in the unit.
    pub(crate) fn inlined(&self, debug: &DebugInformation, unit: &Unit) -> &[Inlined] {
        self.inlined.get_or_init(|| {
            let mut all = Vec::new();
            let mut ranges = Vec::new();
            for_each_in_code(debug, unit, &[gimli::DW_TAG_inlined_subroutine], |entry| {
                let origin = entry.attr_value(gimli::DW_AT_abstract_origin);
                let Some(origin) = origin.and_then(|value| debug.follow(unit, value)) else { return };
                ranges.clear();
                debug.ranges_of(unit, entry, &mut ranges);
                if let Some(first) = ranges.first() {
                    all.push(Inlined { origin, entry: first.start });
                }
            });
            all
        })
    }
}

/// Calls for each entry of some tags, wherever in the unit it is. What is behind a damaged entry is not reached.
pub(crate) fn for_each_entry(unit: &Unit, tags: &[gimli::DwTag], mut found: impl FnMut(&Entry)) {
    let Ok(mut entries) = unit.dwarf.entries_raw(None) else { return };
    let mut entry = Entry::null();
    while !entries.is_empty() {
        // An entry is read twice when it is of a tag, and skipped otherwise: reading makes a list, skipping does not.
        let before = entries.clone();
        let Ok(abbreviation) = entries.read_abbreviation() else { return };
        let Some(abbreviation) = abbreviation else { continue };
        if tags.contains(&abbreviation.tag()) {
            entries = before;
            if !matches!(entries.read_entry(&mut entry), Ok(true)) {
                return;
            }
            found(&entry);
        } else if entries.skip_attributes(abbreviation.attributes()).is_err() {
            return;
        }
    }
}

/// As [`for_each_entry`], without what is in functions that the linker has left out: what large ones have is described
/// at addresses where other code is.
pub(crate) fn for_each_in_code(
    debug: &DebugInformation,
    unit: &Unit,
    tags: &[gimli::DwTag],
    mut found: impl FnMut(&Entry),
) {
    let Ok(mut entries) = unit.dwarf.entries_raw(None) else { return };
    let mut entry = Entry::null();
    let mut ranges = Vec::new();
    // The functions around the entry, by depth, and whether there is code of them.
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

/// What covers an address within a function, outermost first: lexical blocks and inlined functions; the function
/// itself is not among them.
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

/// Blocks nested deeper than this are not of a compiler.
const DEEPEST: usize = 256;

fn descend(
    debug: &DebugInformation,
    unit: &Unit,
    node: gimli::EntriesTreeNode<'_, '_, crate::dwarf::debug_info::Slice>,
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
            // A block whose variables were all moved has no addresses; blocks within it may have.
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
