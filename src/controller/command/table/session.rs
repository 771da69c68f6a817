//! Commands about the session and the debugger itself.

use super::{ArgumentKind as A, Entry, Topic, entry};
use crate::controller::command::parse::session;

const TOPIC: Topic = Topic::Session;

pub(super) const ENTRIES: &[Entry] = &[
    entry(TOPIC, "show", &[], "[SETTING]", "Shows the settings of the debugger.", "", A::Setting, session::show),
    entry(TOPIC, "output", &[], "SET", "Shows the output of these ranks only.", "", A::Set, session::output),
    entry(TOPIC, "log", &[], "FILE | off", "Writes what is shown to a file, too.", "", A::File, session::log),
    entry(
        TOPIC,
        "source",
        &[],
        "FILE",
        "Runs the commands of a file, up to the first that fails.",
        "",
        A::File,
        session::source,
    ),
    entry(
        TOPIC,
        "alias",
        &[],
        "[NAME = TEXT]",
        "Gives the beginning of a line a name, or lists such names.",
        "`alias bk = break kernel if` makes `bk x > 1` stand for `break kernel if x > 1`.",
        A::Free,
        session::alias,
    ),
    entry(TOPIC, "help", &["h", "dhelp"], "[COMMAND]", "Explains the commands.", "", A::Command, session::help),
    entry(
        TOPIC,
        "quit",
        &["q", "exit", "dquit"],
        "",
        "Ends the session and the processes it started.",
        "",
        A::Nothing,
        session::quit,
    ),
];
