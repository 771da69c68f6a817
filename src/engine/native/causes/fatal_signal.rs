//! A fatal signal and its `siginfo_t`.

use crate::native::ptrace::{Tid, signal_bytes};

/// The offset of `si_code` in `siginfo_t`.
const CODE: usize = 8;
/// The offset of `si_addr` in that of a fault.
const ADDRESS: usize = 16;

/// A fatal signal as the kernel delivered it.
#[derive(Clone, Debug)]
pub(super) struct FatalSignal {
    number: i32,
    /// The `siginfo_t`; empty if it could not be read.
    information: Vec<u8>,
}

impl FatalSignal {
    /// Reads the signal that a thread is stopped for.
    pub(super) fn of(tid: Tid, number: i32) -> Self {
        Self { number, information: signal_bytes(tid).unwrap_or_default() }
    }

    /// Returns the number of the signal.
    pub(super) fn number(&self) -> i32 {
        self.number
    }

    /// Returns `si_code`.
    pub(super) fn code(&self) -> Option<i32> {
        let bytes = self.information.get(CODE..)?.first_chunk()?;
        Some(i32::from_le_bytes(*bytes))
    }

    /// Returns the address of a fault.
    pub(super) fn address(&self) -> Option<u64> {
        let bytes = self.information.get(ADDRESS..)?.first_chunk()?;
        Some(u64::from_le_bytes(*bytes))
    }
}
