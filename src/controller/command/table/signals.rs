//! Commands about signals.

use super::{ArgumentKind as A, Entry, Topic, entry};
use crate::command::parse::signals;

const TOPIC: Topic = Topic::Signals;

pub(super) const ENTRIES: &[Entry] = &[
    entry(
        TOPIC,
        "signals",
        &["info signals", "info handle"],
        "[SIGNAL]",
        "Lists signals and what happens when one arrives.",
        "On each rank: whether it stops, whether that is reported, whether the program gets it. `handle` changes that.",
        A::Signal(&[]),
        signals::signals,
    ),
    entry(
        TOPIC,
        "handle",
        &[],
        "SIGNAL… [no]stop [no]print [no]pass",
        "Changes what happens when a signal arrives.",
        "SIGNAL is a name, a number, a range of numbers, or `all` (but those the debugger uses, SIGINT and \
         SIGTRAP). `stop`: the rank stops, which implies print. `print`: it is reported. `pass`: the program gets it.",
        A::Signal(&["stop", "nostop", "print", "noprint", "pass", "nopass"]),
        signals::handle,
    ),
    entry(
        TOPIC,
        "signal",
        &[],
        "SIGNAL | 0",
        "Lets stopped ranks run on with a signal, or with none.",
        "The program gets the signal instead of the one it was stopped by; `signal 0`: none.",
        A::Signal(&[]),
        signals::signal,
    ),
];
