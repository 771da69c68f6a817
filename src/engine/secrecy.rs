//! Processes that hold a session's key cannot be dumped, traced or inspected by the user's other processes (prctl(2),
//! PR_SET_DUMPABLE). Children inherit this until they execute, but a child must be traced, or open our descriptors,
//! before that: meanwhile the protection is lifted.

use nix::sys::prctl::{get_dumpable, set_dumpable};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The number of [`SetAside`] values alive, and true if the process was not dumpable before the first one.
static OPEN: Mutex<(u32, bool)> = Mutex::new((0, false));

fn open() -> MutexGuard<'static, (u32, bool)> {
    OPEN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// While one is alive, children of this process may be traced before they execute.
#[derive(Debug)]
pub(super) struct SetAside(());

impl SetAside {
    pub(super) fn new() -> Self {
        let mut open = open();
        if open.0 == 0 {
            open.1 = matches!(get_dumpable(), Ok(false));
            if open.1 {
                // On failure, the start of the child reports the error.
                let _ = set_dumpable(true);
            }
        }
        open.0 += 1;
        Self(())
    }
}

impl Drop for SetAside {
    fn drop(&mut self) {
        let mut open = open();
        open.0 -= 1;
        if open.0 == 0 && open.1 {
            let _ = set_dumpable(false);
        }
    }
}
