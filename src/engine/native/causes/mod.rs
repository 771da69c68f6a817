//! The causes of fatal signals and reported errors under the native engine: the evidence is a snapshot of the stopped
//! thread.

mod call_arguments;
pub(super) mod evidence;
mod fortran_error;
mod mpi_abort;
mod reported_error;
mod sanitizer_report;
mod stopped_thread;
mod undefined_behaviour;
