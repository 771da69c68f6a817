//! Reports about the session and the debugger itself.

pub(super) mod printers;
pub(super) mod requests;
