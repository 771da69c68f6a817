//! The causes of fatal signals, found in the memory and on the stack of the stopped thread. Nothing here runs or changes
//! the program.

mod abort_message;
mod arithmetic;
mod dereferences;
pub(super) mod evidence;
mod exception;
mod explain;
mod fatal_signal;
mod faulting_instruction;
mod mapped_file;
mod memory_map;
mod memory_text;
mod pointer_name;
mod stack_overflow;
mod wrong_address;
