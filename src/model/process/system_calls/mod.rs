//! System calls of Linux on x86-64: their names, groups and arguments, and the calls that a catchpoint catches.

pub(crate) mod caught_call;
pub(crate) mod choice;
pub(crate) mod system_call;
mod table;
