//! Functions that are computed without a call: gdb's convenience functions, and in conditions some of the C library.

pub(super) mod functions;
pub(super) mod library_texts;
mod texts;
