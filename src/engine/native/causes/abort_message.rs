//! The message that glibc leaves when it aborts the program.

use crate::abort_message::{FRAMES, MESSAGE, cause as cause_at};
use crate::native::inspect::StoppedThread;
use crate::native::startup::program::base_name;
use model::Cause;

/// Returns the cause that the C library has left a message for.
pub(super) fn cause(thread: &StoppedThread<'_>) -> Option<Cause> {
    let program = thread.images.executable().map(|program| program.image.index());
    // A static program has the C library in itself.
    let may_have = |path: &str| base_name(path).starts_with("libc.") || base_name(path).starts_with("libc-");
    let mut files = thread.images.wanted(|image| Some(image.index()) == program || may_have(image.path()));
    let pointer = files.find_map(|loaded| Some(loaded.bias.loaded(loaded.image.symbol(MESSAGE)?)))?;
    cause_at(thread.access, pointer, || thread.frames(FRAMES))
}
