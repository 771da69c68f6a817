//! What is said of a first stop, in the same words by every engine.

use model::LocationSpec;

/// Said of a process that stays as it was.
pub(super) const WAS_STOPPED: &str =
    "a signal had stopped the process before; it goes on when it gets SIGCONT (signal SIGCONT)";

/// Words for a first stop whose place is not there once the program and its libraries are.
pub(super) fn no_first_stop(place: &LocationSpec, program: &str) -> String {
    format!(
        "cannot stop at {place}: there is no such place in {program} or its libraries; it runs on, and stops there only \
         if a library that it loads later has it"
    )
}
