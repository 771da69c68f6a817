//! The state of a rank whose floating-point exceptions are caught.

use super::environment_calls::EnvironmentCalls;
use crate::native::ptrace::Tid;
use std::collections::BTreeMap;

/// A function that a thread runs with the masks and flags of the program.
#[derive(Clone, Copy, Debug)]
pub(super) struct Inside {
    /// The address that it returns to.
    pub(super) back: u64,
    /// The stack pointer at its first instruction.
    pub(super) stack_pointer: u64,
}

/// The functions that read or change masks and flags, and the threads in them.
#[derive(Debug, Default)]
pub(in crate::native) struct FloatCatching {
    pub(in crate::native) calls: EnvironmentCalls,
    /// True while these functions have traps.
    pub(super) is_armed: bool,
    pub(super) inside: BTreeMap<Tid, Inside>,
    /// True once it has been reported that the program masks exceptions itself.
    pub(super) has_told: bool,
}
