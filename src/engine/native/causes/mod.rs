//! The causes of fatal signals, found in the memory and on the stack of the stopped thread. Nothing here runs or changes
//! the program.

mod abort_message;
pub(super) mod evidence;
mod explain;
mod fatal_signal;
mod memory_map;
mod stack_overflow;
mod wrong_address;
