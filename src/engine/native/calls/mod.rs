//! Functions of the program that the debugger calls, and what functions return.

pub(super) mod abi;
pub(super) mod calling;
pub mod request;
pub(super) mod returned;
pub(super) mod rust_abi;
pub(super) mod waiting_calls;
