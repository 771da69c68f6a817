//! Chooses the search for a cause by the signal.

use super::fatal_signal::FatalSignal;
use super::memory_map::MemoryMap;
use super::pointer_name::culprit;
use super::wrong_address::WrongAddress;
use super::{abort_message, arithmetic, exception, mapped_file, stack_overflow};
use crate::native::inspect::StoppedThread;
use model::{Cause, CauseKind};
use nix::libc;

/// Returns the cause of a signal that the thread is stopped for; `None` if nothing certain is known.
pub(super) fn cause(signal: &FatalSignal, thread: &StoppedThread<'_>, map: &MemoryMap) -> Option<Cause> {
    match signal.number() {
        // A signal that another process sent has no cause in this one.
        libc::SIGABRT if signal.code().is_none_or(|code| code == libc::SI_TKILL) => {
            abort_message::cause(thread).or_else(|| exception::cause(thread))
        }
        // The processor has two words for addresses that cannot exist: this one is for those computed from the stack's.
        libc::SIGBUS => {
            let cut_off = mapped_file::cause(signal, map);
            cut_off.or_else(|| Some(WrongAddress::not_canonical(signal, thread)?.cause(None)))
        }
        libc::SIGFPE => arithmetic::cause(signal, thread),
        libc::SIGSEGV => {
            // A code above 0 comes from the kernel, others from kill(2) and the like.
            let address = signal.address().filter(|_| signal.code().is_some_and(|code| code > 0))?;
            let overflow = stack_overflow::cause(address, thread, map);
            overflow.or_else(|| Some(WrongAddress::of(signal, thread, map)?.cause(None)))
        }
        _ => None,
    }
}

/// Returns the same cause with the name of the pointer that led to it. The evaluation of expressions may need more than
/// the cause.
pub(super) fn with_name(
    cause: &Cause,
    signal: &FatalSignal,
    thread: &StoppedThread<'_>,
    map: &MemoryMap,
) -> Option<Cause> {
    if !matches!(cause.kind, CauseKind::NullPointer | CauseKind::WildPointer) {
        return None;
    }
    let wrong = match signal.number() {
        libc::SIGBUS => WrongAddress::not_canonical(signal, thread)?,
        _ => WrongAddress::of(signal, thread, map)?,
    };
    let is_at = |element| wrong.is_in(element, signal.address());
    let culprit = culprit(thread, |pointer| wrong.is_from(pointer, map), is_at)?;
    Some(wrong.cause(Some(&culprit)))
}
