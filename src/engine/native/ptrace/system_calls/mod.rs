//! System calls: those at which threads of the program stop, and those that the debugger makes a thread execute.

mod executed;
mod stops;
pub(super) mod thread_calls;
