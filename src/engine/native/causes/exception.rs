//! C++ exceptions that end the program.

use crate::exception::{Aborted, FRAMES, GLOBALS};
use crate::native::inspect::StoppedThread;
use debuginfo::FS_BASE;
use model::{Cause, VirtualAddress};

/// Returns the cause of an abort that std::terminate called.
pub(super) fn cause(thread: &StoppedThread<'_>) -> Option<Cause> {
    let aborted = Aborted {
        memory: thread.access,
        frames: &thread.frames(FRAMES),
        globals: thread.images.program_and(&["libstdc++."]).find_map(|loaded| loaded.symbol(GLOBALS)),
        fs_base: thread.registers.get(FS_BASE)?,
        function_at: &|address| function_at(thread, address),
    };
    aborted.cause()
}

fn function_at(thread: &StoppedThread<'_>, address: VirtualAddress) -> Option<String> {
    let (loaded, at) = thread.images.locate(address)?;
    let (name, within) = loaded.image.symbol_at(at)?;
    (within == 0).then(|| name.to_string())
}
