//! Functions of the program that the debugger calls, and what functions return.

pub(super) mod calling;
pub(super) mod returned;
pub(super) mod waiting_calls;
