//! Chooses the search for a cause by the signal.

use super::fatal_signal::FatalSignal;
use super::memory_map::MemoryMap;
use super::{abort_message, arithmetic, exception, stack_overflow, wrong_address};
use crate::native::inspect::StoppedThread;
use model::Cause;
use nix::libc;

/// Returns the cause of a signal that the thread is stopped for; `None` if nothing certain is known.
pub(super) fn cause(signal: &FatalSignal, thread: &StoppedThread<'_>, map: &MemoryMap) -> Option<Cause> {
    match signal.number() {
        // A signal that another process sent has no cause in this one.
        libc::SIGABRT if signal.code().is_none_or(|code| code == libc::SI_TKILL) => {
            abort_message::cause(thread).or_else(|| exception::cause(thread))
        }
        libc::SIGFPE => arithmetic::cause(signal, thread),
        libc::SIGSEGV => {
            // A code above 0 comes from the kernel, others from kill(2) and the like.
            let address = signal.address().filter(|_| signal.code().is_some_and(|code| code > 0))?;
            let overflow = stack_overflow::cause(address, thread, map);
            overflow.or_else(|| wrong_address::cause(signal, thread, map))
        }
        _ => None,
    }
}
