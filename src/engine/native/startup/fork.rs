//! A child that a rank is to become.

use crate::native::ptrace::Tid;

/// A child that the rank is to become.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::native) struct Fork {
    /// The thread that created it.
    pub(in crate::native) thread: Tid,
    pub(in crate::native) child: Tid,
    pub(in crate::native) shares_memory: bool,
    /// It has come to its first stop.
    pub(in crate::native) is_here: bool,
}
