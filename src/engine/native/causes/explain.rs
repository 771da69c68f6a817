//! Chooses the search for a cause by the signal.

use super::abort_message;
use super::fatal_signal::FatalSignal;
use crate::native::inspect::StoppedThread;
use model::Cause;
use nix::libc;

/// Returns the cause of a signal that the thread is stopped for; `None` if nothing certain is known.
pub(super) fn cause(signal: &FatalSignal, thread: &StoppedThread<'_>) -> Option<Cause> {
    match signal.number() {
        // A signal that another process sent has no cause in this one.
        libc::SIGABRT if signal.code().is_none_or(|code| code == libc::SI_TKILL) => abort_message::cause(thread),
        _ => None,
    }
}
