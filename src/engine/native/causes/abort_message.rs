//! The message that glibc leaves when it aborts the program.

use crate::abort_message::{FRAMES, MESSAGE, cause as cause_at};
use crate::native::inspect::StoppedThread;
use model::Cause;

/// Returns the cause that the C library has left a message for.
pub(super) fn cause(thread: &StoppedThread<'_>) -> Option<Cause> {
    // A static program has the C library in itself.
    let pointer = thread.images.program_and(&["libc.", "libc-"]).find_map(|loaded| loaded.symbol(MESSAGE))?;
    cause_at(thread.access, pointer, || thread.frames(FRAMES))
}
