//! The thread of a step, in its process.

use crate::native::breakpoints::points::Breakpoints;
use crate::native::inspect::inferior::Inferior;
use crate::native::ptrace::Tid;

/// A thread, and the parts of its rank that a step reads and changes.
pub(in crate::native) struct SteppedThread<'a> {
    pub inferior: &'a mut Inferior,
    pub breakpoints: &'a mut Breakpoints,
    pub tid: Tid,
}
