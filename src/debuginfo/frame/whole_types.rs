//! Complete types at a frame: classes that another file defines, arrays whose bounds are computed.

use super::view::FrameView;
use crate::types::classes::ClassDetail;
use crate::types::description::{Place, TypeRef};
use crate::types::reader::{TypeReader, no_bound};
use model::VirtualAddress;

/// Resolves an array that is part of a value in memory; see `Locator::measured`.
pub(crate) fn measured_at(
    view: &FrameView<'_>,
    array: &TypeRef,
    at: VirtualAddress,
) -> Option<(TypeRef, Result<Place, String>)> {
    let TypeRef::Entry(id) = array else { return None };
    let loaded = view.images.by_index(id.image)?;
    let locator = view.locator(loaded, None)?;
    let as_declared = Ok(Place::Memory(at));
    let (measured, place) = locator.measured(array.clone(), as_declared.clone());
    (measured != *array || place != as_declared).then_some((measured, place))
}

/// Returns the details of a class beyond its data, from its definition.
pub(crate) fn class_of(view: &FrameView<'_>, reference: &TypeRef) -> Option<ClassDetail> {
    let (loaded, entry) = view.complete_entry(reference)?;
    let debug = loaded.image.debug()?;
    TypeReader { debug, image: loaded.image.index(), bound: &no_bound }.class(debug.entry_at(entry)?)
}
