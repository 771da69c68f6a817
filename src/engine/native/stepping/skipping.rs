//! Functions that steps pass over because the user has said so (gdb's `skip`).

use crate::native::inspect::inferior::Inferior;
use model::VirtualAddress;

/// Returns the address at which a step stops that enters the function at this address; `None` if it passes over it.
pub(super) fn entered_line(inferior: &Inferior, entry: u64) -> Option<u64> {
    inferior.first_line(entry).filter(|_| !skips_function(inferior, entry, None))
}

/// True if a step does not enter the function at this address, or, with a level, the function inlined there.
pub(super) fn skips_function(inferior: &Inferior, pc: u64, inlined: Option<usize>) -> bool {
    let skips = &inferior.spec.settings.skips;
    if skips.is_empty() {
        return false;
    }
    let Some((loaded, at)) = inferior.images().locate(VirtualAddress(pc)) else { return false };
    let name = match inlined {
        Some(level) => loaded.image.inline_frames(at).get(level).map(|frame| frame.function.clone()),
        None => loaded.image.function_at(at).map(|function| function.name),
    };
    let place = loaded.image.line_at(at).map(|row| row.place);
    name.is_some_and(|name| skips.contain(&name, place.as_ref().map(|place| &*place.file)))
}
