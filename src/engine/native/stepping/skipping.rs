//! Functions that steps pass over because the user has said so (gdb's `skip`).

use crate::native::inspect::inferior::Inferior;
use model::VirtualAddress;

impl Inferior {
    /// Returns the address at which a step stops that enters the function at this address; `None` if it passes over it.
    pub(super) fn entered_line(&self, entry: u64) -> Option<u64> {
        self.first_line(entry).filter(|_| !self.skips_function(entry, None))
    }

    /// True if a step does not enter the function at this address, or, with a level, the function inlined there.
    pub(super) fn skips_function(&self, pc: u64, inlined: Option<usize>) -> bool {
        let skips = &self.spec.settings.skips;
        if skips.is_empty() {
            return false;
        }
        let Some((loaded, at)) = self.images().locate(VirtualAddress(pc)) else { return false };
        let name = match inlined {
            Some(level) => loaded.image.inline_frames(at).get(level).map(|frame| frame.function.clone()),
            None => loaded.image.function_at(at).map(|function| function.name),
        };
        let place = loaded.image.line_at(at).map(|row| row.place);
        name.is_some_and(|name| skips.contain(&name, place.as_ref().map(|place| &*place.file)))
    }
}
