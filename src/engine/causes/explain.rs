//! Chooses the search for a cause by the signal.

use super::dereferences::dereferences;
use super::failed_thread::FailedThread;
use super::fatal_signal::FatalSignal;
use super::freed::freed_pointer;
use super::memory_map::MemoryMap;
use super::pointer_name::{culprit, executed_line};
use super::wrong_address::WrongAddress;
use super::{abort_message, arithmetic, exception, mapped_file, stack_overflow};
use model::{Caught, Cause, CauseKind, StopReason};
use nix::libc;

/// Returns the number of the signal that a stop is for, if its cause can be looked for.
pub(crate) fn signal_of(reason: &StopReason) -> Option<i32> {
    let (StopReason::Signal(name) | StopReason::Caught(_, Caught::Signal(name))) = reason else { return None };
    name.number().filter(|number| matches!(*number, libc::SIGABRT | libc::SIGSEGV | libc::SIGBUS | libc::SIGFPE))
}

/// Returns the cause of a signal that the thread is stopped for; `None` if nothing certain is known.
pub(crate) fn cause(signal: &FatalSignal, thread: &dyn FailedThread, map: &MemoryMap) -> Option<Cause> {
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
            signal.code().filter(|code| *code > 0)?;
            let overflow = stack_overflow::cause(signal, thread, map);
            overflow.or_else(|| Some(WrongAddress::of(signal, thread, map)?.cause(None)))
        }
        _ => None,
    }
}

/// Returns the same cause with the name of the pointer that led to it, and says so if that points to freed memory. This
/// may need more than the cause: expressions are evaluated.
pub(crate) fn with_name(
    cause: &Cause,
    signal: &FatalSignal,
    thread: &dyn FailedThread,
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
    let text = executed_line(thread);
    let line = text.as_deref().and_then(dereferences);
    let culprit = line.as_ref().and_then(|line| culprit(thread, line, |pointer| wrong.is_from(pointer, map), is_at));
    let freed = freed_pointer::cause(thread, map, line.as_ref(), culprit.as_ref());
    freed.or_else(|| Some(wrong.cause(Some(&culprit?))))
}
