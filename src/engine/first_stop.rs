//! What is said of a first stop, in the same words by every engine.

use model::LocationSpec;

/// Said of a process that stays as it was.
pub(super) const WAS_STOPPED: &str =
    "a signal had stopped the process before; it continues on SIGCONT (signal SIGCONT)";

/// Words for a first stop whose place is not there once the program and its libraries are.
pub(super) fn no_first_stop(place: &LocationSpec, program: &str) -> String {
    format!(
        "cannot stop at {place}: no such location in {program} or its libraries; it keeps running, and stops there \
            only if a library it loads later defines it"
    )
}
