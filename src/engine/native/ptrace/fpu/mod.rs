//! The floating-point units of a thread, whose exceptions are unmasked while it runs; a stopped thread always has the
//! masks and flags of its program.

pub(in crate::native) mod handling;
pub(in crate::native) mod masks;
pub(in crate::native) mod thread_fpu;
pub(in crate::native) mod trap;
mod x87_result;
