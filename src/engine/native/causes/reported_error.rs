//! Chooses the search for a cause by the function that reports the error.

use super::{fortran_error, mpi_abort, sanitizer_report, undefined_behaviour};
use crate::native::errors::error_call::ErrorCall;
use crate::native::inspect::StoppedThread;
use model::Cause;

/// Returns the cause of a stop at a function that reports an error; `None` if nothing certain is known.
pub(super) fn cause(call: ErrorCall, thread: &StoppedThread<'_>) -> Option<Cause> {
    match call {
        ErrorCall::MpiAbort => mpi_abort::abort(thread),
        ErrorCall::OpenMpiError => mpi_abort::error_of_open_mpi(thread),
        ErrorCall::MpichOutput => mpi_abort::error_of_mpich(thread),
        ErrorCall::SanitizerSummary => sanitizer_report::cause(thread),
        ErrorCall::UndefinedBehaviour(name) => undefined_behaviour::cause(name, thread),
        _ => fortran_error::cause(call, thread),
    }
}
