//! The causes of fatal signals and reported errors, found in the memory and on the stack of the stopped thread. Nothing
//! here runs or changes the program.

mod abort_message;
mod arithmetic;
mod call_arguments;
mod dereferences;
pub(super) mod evidence;
mod exception;
mod explain;
mod fatal_signal;
mod faulting_instruction;
mod fortran_error;
mod mapped_file;
mod memory_map;
mod mpi_abort;
mod pointer_name;
mod reported_error;
mod sanitizer_report;
mod stack_overflow;
mod undefined_behaviour;
mod wrong_address;
