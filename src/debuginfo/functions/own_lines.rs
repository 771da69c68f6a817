//! Whether an instruction belongs to a line of the function that is shown for it.

use super::entries::{for_each_entry, scopes_at};
use crate::dwarf::debug_info::DebugInformation;
use crate::dwarf::entry::{Attribute, EntryId};
use crate::dwarf::unit::Unit;
use crate::images::image::Image;
use model::FileAddress;

/// A place in a file of a unit's line table.
#[derive(Clone, Copy)]
struct Place {
    file: u32,
    line: u32,
}

impl Image {
    /// False if the line at an address is known to be of another function than the innermost one there. Optimizing
    /// compilers give instructions lines of functions whose inlined instance they no longer describe at the address.
    pub fn executes_own_line(&self, address: FileAddress) -> bool {
        let Some((debug, unit, span)) = self.span_at(address) else { return true };
        let scopes = scopes_at(debug, unit, span.offset, address);
        let inlined = scopes.iter().rev().find(|scope| scope.entry.tag() == gimli::DW_TAG_inlined_subroutine);
        let offset = inlined.map_or(span.offset, |scope| scope.entry.offset());
        is_of(debug, unit, EntryId { unit: unit.index, offset }, address).unwrap_or(true)
    }
}

/// True if the line at an address is of a function; `None` if that is not known.
fn is_of(debug: &DebugInformation, unit: &Unit, function: EntryId, address: FileAddress) -> Option<bool> {
    let lines = unit.lines(debug);
    let (row, _) = lines.covering(address)?;
    let own = declared(debug, unit, function)?;
    if !lines.is_same_file(own.file, row.file) {
        return Some(false);
    }
    let declaration = debug.declaration(function);
    // The functions that begin above the line. What is declared in a function (lambdas) does not end it.
    let (mut nearest, mut within) = (0, None);
    for_each_entry(unit, &[gimli::DW_TAG_subprogram], |entry, depth| {
        within = within.filter(|outer| depth > *outer);
        if within.is_some() {
            return;
        }
        let id = EntryId { unit: unit.index, offset: entry.offset() };
        if debug.declaration(id) == declaration {
            within = Some(depth);
        }
        let is_above = |place: &Place| place.line <= row.line && lines.is_same_file(place.file, row.file);
        if entry.attr_value(gimli::DW_AT_decl_line).is_some()
            && let Some(place) = declared(debug, unit, id).filter(is_above)
        {
            nearest = place.line.max(nearest);
        }
    });
    Some(nearest == own.line)
}

/// Returns where a function of this unit is declared, or defined if that is elsewhere (DWARF 5, 2.14).
fn declared(debug: &DebugInformation, unit: &Unit, function: EntryId) -> Option<Place> {
    let number = |name| {
        let (of, value): (&Unit, Attribute) = debug.inherited(function, name)?;
        let number = match value {
            Attribute::FileIndex(index) => index,
            value => value.udata_value()?,
        };
        u32::try_from(number).ok().filter(|_| of.index == unit.index)
    };
    Some(Place { file: number(gimli::DW_AT_decl_file)?, line: number(gimli::DW_AT_decl_line)? })
}
