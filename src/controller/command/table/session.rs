//! Commands about the session and the debugger itself.

use super::{ArgumentKind as A, Entry, Topic, entry};
use crate::command::parse::{reverse, session};

const TOPIC: Topic = Topic::Session;

pub(super) const ENTRIES: &[Entry] = &[
    entry(
        TOPIC,
        "show",
        &[],
        "[SETTING]",
        "Shows the settings of the debugger.",
        "`set SETTING VALUE` changes one; `help set` says what they mean.",
        A::Setting,
        session::show,
    ),
    entry(
        TOPIC,
        "output",
        &[],
        "SET",
        "Chooses the ranks whose output is shown.",
        "`output all` shows that of all again. Values are shown by `print`.",
        A::Set,
        session::output,
    ),
    entry(
        TOPIC,
        "log",
        &[],
        "FILE | off",
        "Writes what is shown to a file, too.",
        "`log off` ends it.",
        A::File,
        session::log,
    ),
    entry(
        TOPIC,
        "source",
        &[],
        "[FILE]",
        "Runs the commands of a file, up to the first that fails.",
        "Without a name, what `save` has written for this program.",
        A::File,
        session::source,
    ),
    entry(
        TOPIC,
        "save",
        &[],
        "[FILE]",
        "Writes breakpoints, groups, aliases, displayed expressions and settings to a file, as commands.",
        "Without a name it is kept for this program: the next session on it says so, and `source` sets all again. \
         Watchpoints are left out.",
        A::File,
        session::save,
    ),
    entry(
        TOPIC,
        "alias",
        &[],
        "[NAME = TEXT]",
        "Gives the beginning of a line a name, or lists such names.",
        "`alias bk = break kernel if` makes `bk x > 1` stand for `break kernel if x > 1`. What it stands for begins \
         with a command.",
        A::Free,
        session::alias,
    ),
    entry(
        TOPIC,
        "reverse",
        &["dload"],
        "list | accept [ID [leave|kill]] | reject ID [REASON] | wait [SECONDS] | listen on|off",
        "Answers programs that ask for a debugger by tvconnect.",
        "`accept` makes the program's session the present one; without a name it takes the only request. Of a session \
         whose ranks live, `leave` lets them be, to be resumed later, and `kill` ends them; else it stays. A name may be \
         shortened to a beginning or the end that only one has; the number that `list` shows works too. `reject` removes a stale request. \
         `wait` ends when there is a request. `listen on` looks for requests during a session, too. `dload -accept` and the \
         like mean the same.",
        A::Words(&["list", "accept", "reject", "wait", "listen"]),
        reverse::reverse,
    ),
    entry(
        TOPIC,
        "help",
        &["h", "dhelp"],
        "[COMMAND]",
        "Explains a command, or lists them all.",
        "",
        A::Command,
        session::help,
    ),
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
