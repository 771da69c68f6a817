//! The causes of fatal signals, found in the memory and on the stack of the stopped thread, under any engine of real
//! processes. Nothing here runs or changes the program.

pub(crate) mod abort_message;
mod arithmetic;
mod dereferences;
mod exception;
pub(crate) mod explain;
pub(crate) mod failed_thread;
pub(crate) mod fatal_signal;
mod faulting_instruction;
mod freed;
mod mapped_file;
pub(crate) mod memory_map;
mod pointer_name;
mod stack_overflow;
mod wrong_address;
