//! The debugger's part in the floating-point environment of a thread.

use super::masks::{Unmasked, is_initial};
use super::trap::FpuTrap;
use crate::native::ptrace::requests::{self, Tid};

/// The exceptions that the threads of a process run with unmasked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FpuTraps {
    kinds: u8,
    /// All that there were so far.
    ever: u8,
}

impl FpuTraps {
    /// Sets the exceptions, as bits of the processor's flags. True if they have changed.
    pub fn set(&mut self, kinds: u8) -> bool {
        self.ever |= kinds;
        std::mem::replace(&mut self.kinds, kinds) != kinds
    }

    /// True if there are any.
    pub fn are_any(self) -> bool {
        self.kinds != 0
    }

    /// True if threads may have had unmasked exceptions.
    pub(super) fn were_any(self) -> bool {
        self.ever != 0
    }

    /// Returns those of these exceptions that the program has unmasked without knowing it: it has saved the control word of
    /// one unit while the debugger had unmasked them, and restored it since. Its own `feenableexcept` unmasks them in both
    /// units; those that are `masked` are so in the other one.
    pub(super) fn left_over(self, unmasked: u8, masked: u8) -> u8 {
        self.ever & unmasked & masked
    }
}

/// The debugger's part in the floating-point environment of a thread.
#[derive(Debug, Default)]
pub struct ThreadFpu {
    /// Set while it runs with unmasked exceptions.
    unmasked: Option<Unmasked>,
    /// The exceptions with which it ran last, if it did.
    last: Option<Unmasked>,
    /// True if a handler may return to an environment with unmasked exceptions.
    had_signal: bool,
    /// True if the program has masked exceptions itself, which has not been reported.
    masked_itself: bool,
    /// True while it runs a function that reads or changes masks and flags, which needs those of the program.
    pub keeps_masks: bool,
    /// The exception that it has stopped for and that nobody has handled.
    pub(super) trap: Option<FpuTrap>,
    /// The instruction that it executes with the masks of the program, because its exception has been handled.
    pub(in crate::native::ptrace) passes: Option<u64>,
}

impl ThreadFpu {
    /// Creates the state of a thread or process that a stopped thread has just created.
    pub(in crate::native::ptrace) fn created_by(&self) -> Self {
        Self { unmasked: self.last, ..Self::default() }
    }

    /// Unmasks exceptions of a thread that is about to run.
    pub(in crate::native::ptrace) fn unmask(&mut self, tid: Tid, traps: FpuTraps) {
        self.last = None;
        let trap = self.trap.take();
        if traps.kinds == 0 || self.keeps_masks {
            return;
        }
        let Ok(mut registers) = requests::float_registers(tid) else { return };
        let unmasked = Unmasked::unmask(&mut registers, traps.kinds, trap.map_or(0, |trap| trap.waiting()));
        if requests::set_float_registers(tid, registers).is_ok() {
            self.unmasked = Some(unmasked);
        }
    }

    /// Restores the masks of the program in a thread that has stopped.
    pub(in crate::native::ptrace) fn mask(&mut self, tid: Tid) {
        let Some(unmasked) = self.unmasked.take() else { return };
        self.last = Some(unmasked);
        let Ok(mut registers) = requests::float_registers(tid) else { return };
        // A signal handler begins with the kernel's environment, and returns to that of the program.
        let in_handler = self.had_signal && is_initial(&registers);
        let masked_itself = unmasked.mask(&mut registers) && !in_handler;
        self.masked_itself |= masked_itself;
        let _ = requests::set_float_registers(tid, registers);
    }

    /// Notes that it gets a signal.
    pub(in crate::native::ptrace) fn note_signal(&mut self) {
        self.had_signal |= self.unmasked.is_some();
    }

    /// Returns the exceptions that the debugger has unmasked in a thread that has just stopped.
    pub(super) fn of_debugger(&self) -> Unmasked {
        self.unmasked.or(self.last.filter(|_| self.had_signal)).unwrap_or_default()
    }

    /// Returns the flags that the program had before an exception that has just been raised: those of SSE, of x87.
    pub(super) fn old_flags(&self) -> (u8, u8) {
        self.last.map_or((0, 0), |last| (last.sse_flags, last.hidden))
    }

    /// True, once, if the program has masked exceptions itself.
    pub fn take_masked_itself(&mut self) -> bool {
        std::mem::take(&mut self.masked_itself)
    }

    /// The exceptions with which its children run.
    pub fn inherited(&self) -> Option<Unmasked> {
        self.last
    }
}

/// Restores the masks of the program in a stopped process that belongs to no rank.
pub fn mask_again(tid: Tid, unmasked: Unmasked) {
    ThreadFpu { unmasked: Some(unmasked), ..ThreadFpu::default() }.mask(tid);
}
