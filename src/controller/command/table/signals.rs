//! Commands about signals.

use super::{ArgumentKind as A, Entry, Repeat, entry};
use crate::command::parse::signals;

pub(super) const ENTRIES: &[Entry] = &[
    entry(
        "signals",
        &["info signals", "info handle"],
        "[SIGNAL]",
        "Lists signals and what happens when one arrives.",
        "For each rank: whether it stops, whether the signal is reported and passed to the program. `handle` \
            changes that.",
        A::Signal(&[]),
        signals::signals,
    )
    .repeating(Repeat::Same),
    entry(
        "handle",
        &[],
        "SIGNAL… [no]stop [no]print [no]pass",
        "Changes what happens when a signal arrives.",
        "SIGNAL is a name, a number, a range of numbers, or `all` (except SIGINT and SIGTRAP, which the debugger \
            uses). `stop`: the rank stops, which implies print. `print`: the signal is reported. `pass`: the \
            program receives it.",
        A::Signal(&["stop", "nostop", "print", "noprint", "pass", "nopass"]),
        signals::handle,
    ),
    entry(
        "signal",
        &[],
        "SIGNAL | 0",
        "Continues stopped ranks with a signal, or with none.",
        "The program receives this signal instead of the one that stopped it; `signal 0`: none.",
        A::Signal(&[]),
        signals::signal,
    ),
    entry(
        "queue-signal",
        &[],
        "SIGNAL | 0",
        "Delivers a signal to the selected thread when it continues, or discards the one that stopped it.",
        "As `signal`, but the rank stays stopped: `go`, or a step, delivers the signal. A signal that `handle` does not \
            pass to the program is refused.",
        A::Signal(&[]),
        signals::queue,
    ),
];
