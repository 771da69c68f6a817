//! Processes that hold the key of a session cannot be dumped, nor traced or looked into by the user's other processes
//! (prctl(2), PR_SET_DUMPABLE). What they start gets that from them until it executes, and a child must be traced, or
//! must open our descriptors, before: for so long it is set aside.

use nix::sys::prctl::{get_dumpable, set_dumpable};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Who needs this process open now, and whether it was closed before.
static OPEN: Mutex<(u32, bool)> = Mutex::new((0, false));

fn open() -> MutexGuard<'static, (u32, bool)> {
    OPEN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// While there is one, children of this process may be traced before they execute.
#[derive(Debug)]
pub(super) struct SetAside(());

impl SetAside {
    pub(super) fn new() -> Self {
        let mut open = open();
        if open.0 == 0 {
            open.1 = matches!(get_dumpable(), Ok(false));
            if open.1 {
                // Where it cannot be had, the start of the child says what is not possible.
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
