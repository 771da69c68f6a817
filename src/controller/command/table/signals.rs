//! Commands about signals.

use super::{ArgumentKind as A, Entry, Topic, entry};
use crate::controller::command::parse::signals;

const TOPIC: Topic = Topic::Signals;

pub(super) const ENTRIES: &[Entry] = &[
    entry(
        TOPIC,
        "signals",
        &["info signals"],
        "[SIGNAL]",
        "Lists signals and what happens when one arrives.",
        "",
        A::Signal(&[]),
        signals::signals,
    ),
    entry(
        TOPIC,
        "handle",
        &[],
        "SIGNAL… [no]stop [no]print [no]pass",
        "Changes what happens when a signal arrives.",
        "`stop`: the rank stops, which implies print. `print`: it is reported. `pass`: the program gets it.",
        A::Signal(&["stop", "nostop", "print", "noprint", "pass", "nopass"]),
        signals::handle,
    ),
    entry(
        TOPIC,
        "signal",
        &[],
        "SIGNAL",
        "Resumes ranks and gives them a signal.",
        "",
        A::Signal(&[]),
        signals::signal,
    ),
];
