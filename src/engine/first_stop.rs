//! Messages about a first stop, shared by all engines.

use model::LocationSpec;

/// The note for a process that was stopped before the attach and stays so.
pub(super) const WAS_STOPPED: &str =
    "a signal had stopped the process before; it continues on SIGCONT (signal SIGCONT)";

/// The message for a first stop whose location does not exist once the program and its libraries are loaded.
pub(super) fn no_first_stop(place: &LocationSpec, program: &str) -> String {
    format!(
        "cannot stop at {place}: no such location in {program} or its libraries; it keeps running, and stops there \
            only if a library it loads later defines it"
    )
}
