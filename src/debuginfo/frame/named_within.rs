//! Names qualified by a function or a file: `function::x`, `file.c::x`.

use super::scope::FrameScope;
use super::view::FrameView;
use crate::dwarf::entry::EntryId;
use crate::dwarf::named::Named;
use crate::functions::named::declared_in;
use crate::functions::named::functions_named;
use crate::functions::named::named;
use crate::images::loaded::LoadedImage;
use crate::types::description::NamedValue;
use crate::unwind::stack::{StackFrame, callers};

/// The limit on frames searched for one of a function.
const MOST_FRAMES: usize = 10_000;

impl FrameView<'_> {
    /// Looks up `scope::name` where the scope is a function or a source file.
    pub(crate) fn named_within(&self, scope: &str, name: &str) -> Option<NamedValue> {
        self.files().find_map(|loaded| {
            let in_file = if scope.contains('.') { in_file(self, loaded, scope, name) } else { None };
            in_file.or_else(|| in_function(self, loaded, scope, name))
        })
    }
}

fn in_file(view: &FrameView<'_>, loaded: &LoadedImage, file: &str, name: &str) -> Option<NamedValue> {
    let units = loaded.image.units()?;
    let debug = &units.debug;
    let locator = view.locator(loaded, None)?;
    [Named::Variable, Named::Function].into_iter().find_map(|sort| {
        named(units, name, sort).into_iter().find_map(|id| {
            let (unit, entry) = debug.entry(id)?;
            declared_in(debug, unit, id, file).then(|| locator.value(unit, &entry)).flatten()
        })
    })
}

/// Finds a parameter or variable in the outermost block of a function: a static one, or one of a frame on the stack.
fn in_function(view: &FrameView<'_>, loaded: &LoadedImage, function: &str, name: &str) -> Option<NamedValue> {
    let units = loaded.image.units()?;
    let debug = &units.debug;
    functions_named(units, function).into_iter().find_map(|id| {
        let (unit, entry) = debug.entry(id)?;
        let mut found = None;
        unit.for_each_child(&entry, |child| {
            let declared = matches!(child.tag(), gimli::DW_TAG_variable | gimli::DW_TAG_formal_parameter);
            let own = EntryId { unit: unit.index, offset: child.offset() };
            if found.is_none() && declared && debug.base_name(own) == Some(name.as_bytes()) {
                found = Some(child.clone());
            }
        });
        let child = found?;
        if let Some(value) = of_frame(view, loaded, id, name) {
            return Some(value);
        }
        let value = view.locator(loaded, None)?.value(unit, &child)?;
        let needs_frame = child.tag() == gimli::DW_TAG_formal_parameter || !is_fixed(&child);
        let place = if needs_frame {
            Err(format!("No frame is currently executing in block {function}."))
        } else {
            value.place
        };
        Some(NamedValue { place, ..value })
    })
}

/// Finds the variable in the nearest frame of the function, from the view's frame outwards.
fn of_frame(view: &FrameView<'_>, loaded: &LoadedImage, function: EntryId, name: &str) -> Option<NamedValue> {
    let own = view.frame?;
    let memory = crate::variables::locator::ThreadMemory(view.thread);
    let outer = callers(view.images, own, &memory, MOST_FRAMES);
    std::iter::once(own).chain(outer.iter()).find_map(|frame| variable_of(view, frame, loaded, function, name))
}

fn variable_of(
    view: &FrameView<'_>,
    frame: &StackFrame,
    loaded: &LoadedImage,
    function: EntryId,
    name: &str,
) -> Option<NamedValue> {
    let (found, _) = view.images.locate(frame.registers.pc()?)?;
    if found.image.index() != loaded.image.index() {
        return None;
    }
    let scope = FrameScope::of(loaded, frame)?;
    if !scope.is_of(function) {
        return None;
    }
    let (unit, entry) = scope.outermost_named(name.as_bytes())?;
    view.locator(loaded, Some(&scope))?.value(unit, &entry)
}

/// True if the variable has an address that does not depend on a frame: its location is `DW_OP_addr` or a constant.
fn is_fixed(entry: &crate::dwarf::entry::Entry) -> bool {
    use gimli::Reader as _;
    match entry.attr_value(gimli::DW_AT_location) {
        Some(gimli::AttributeValue::Exprloc(expression)) => {
            let mut bytes = expression.0;
            bytes.read_u8().is_ok_and(|operation| operation == gimli::DW_OP_addr.0)
        }
        Some(_) => false,
        None => entry.attr(gimli::DW_AT_const_value).is_some() || entry.attr(gimli::DW_AT_external).is_some(),
    }
}
