//! System calls: those at which threads of the program stop, and those that the debugger makes a thread execute.

pub(super) mod executed;
pub(super) mod stops;
