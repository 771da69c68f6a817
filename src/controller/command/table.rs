//! The table of commands.

use super::Command;
use super::line::{Arguments, LineError};
use super::parse::{breakpoints, control, data, session};

/// Where a command stands in help.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Topic {
    /// Whom commands mean.
    Sets,
    /// Where to stop.
    Breakpoints,
    /// Going and stopping.
    Running,
    /// Where ranks are.
    Stack,
    /// What variables hold.
    Data,
    /// Signals.
    Signals,
    /// The session and the debugger itself.
    Session,
}

impl Topic {
    /// In the order of help.
    pub const ALL: [Self; 7] =
        [Self::Sets, Self::Breakpoints, Self::Running, Self::Stack, Self::Data, Self::Signals, Self::Session];

    /// As a heading.
    pub fn title(self) -> &'static str {
        match self {
            Self::Sets => "Sets of ranks",
            Self::Breakpoints => "Breakpoints",
            Self::Running => "Running and stopping",
            Self::Stack => "Stacks and threads",
            Self::Data => "Data",
            Self::Signals => "Signals",
            Self::Session => "Session",
        }
    }
}

/// What the arguments of a command are, for completion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ArgumentKind {
    /// None.
    Nothing,
    /// A set.
    Set,
    /// The name of a group.
    Group,
    /// A place in the program.
    Location,
    /// An expression of the program's language.
    Expression,
    /// Numbers of breakpoints.
    Breakpoints,
    /// A number.
    Number,
    /// A signal, then these words.
    Signal(&'static [&'static str]),
    /// A file.
    File,
    /// The name of a command.
    Command,
    /// A setting.
    Setting,
    /// One of these words.
    Words(&'static [&'static str]),
    /// Anything.
    Free,
}

/// A row of the table.
#[derive(Debug)]
pub struct Entry {
    /// Its name.
    pub name: &'static str,
    /// Other names; those with a blank are two words.
    pub aliases: &'static [&'static str],
    /// Where it stands in help.
    pub topic: Topic,
    /// Arguments as help shows them.
    pub synopsis: &'static str,
    /// What it does, in a sentence.
    pub summary: &'static str,
    /// More; may be empty.
    pub details: &'static str,
    /// For completion.
    pub arguments: ArgumentKind,
    /// Whether `/FORMAT` may follow the name.
    pub takes_format: bool,
    pub(super) parse: fn(&mut Arguments<'_>) -> Result<Command, LineError>,
}

/// Commands that other versions have, each with its other names. They are named in errors, nowhere else.
pub const LATER: &[&[&str]] = &[
    &["watch", "dwatch"],
    &["rwatch"],
    &["awatch"],
    &["catch"],
    &["trace"],
    &["barrier", "dbarrier"],
    &["reverse", "dload"],
    &["disassemble"],
    &["engine"],
    &["compare"],
];

const fn entry(
    topic: Topic,
    name: &'static str,
    aliases: &'static [&'static str],
    synopsis: &'static str,
    summary: &'static str,
    details: &'static str,
    arguments: ArgumentKind,
    parse: fn(&mut Arguments<'_>) -> Result<Command, LineError>,
) -> Entry {
    Entry { name, aliases, topic, synopsis, summary, details, arguments, takes_format: false, parse }
}

const fn with_format(mut entry: Entry) -> Entry {
    entry.takes_format = true;
    entry
}

use ArgumentKind as A;
use Topic as T;

/// All commands.
pub const ENTRIES: &[Entry] = &[
    entry(
        T::Sets,
        "focus",
        &["dfocus"],
        "[SET[.THREAD]]",
        "Sets whom commands mean that name nobody, or shows it.",
        "The set is worked out once: `focus stopped` means those that are stopped now. With a thread, `focus 0-3.2`, \
         inspections and steps are of that thread; without one, of the thread that stopped.",
        A::Set,
        session::focus,
    ),
    entry(
        T::Sets,
        "group",
        &["defset"],
        "NAME = SET",
        "Gives a set a name.",
        "The set is worked out once; the name may then stand wherever a set may.",
        A::Set,
        session::group,
    ),
    entry(T::Sets, "groups", &["dgroups", "viewset"], "", "Lists the named sets.", "", A::Nothing, session::groups),
    entry(T::Sets, "ungroup", &["undefset"], "NAME", "Forgets a named set.", "", A::Group, session::ungroup),
    entry(
        T::Sets,
        "status",
        &["dstatus", "st"],
        "",
        "Shows ranks grouped by state, stop reason and place.",
        "Without a set in front, of the whole job.",
        A::Nothing,
        session::status,
    ),
    entry(
        T::Breakpoints,
        "break",
        &["b", "dbreak"],
        "[LOCATION] [if EXPRESSION] [after N]",
        "Stops ranks when they come to a place.",
        "LOCATION is `file:line`, `line` of the shown file, `function`, or `*ADDRESS`; without one, the line the shown \
         rank is at. A place that is not there yet is pending: it is set when a library brings it. The condition is \
         evaluated beside the process; `after N` passes over the first N arrivals for which it is true, on each rank.",
        A::Location,
        breakpoints::set,
    ),
    entry(
        T::Breakpoints,
        "tbreak",
        &["tb"],
        "[LOCATION] [if EXPRESSION] [after N]",
        "Sets a breakpoint that goes away with its first stop.",
        "On each rank by itself.",
        A::Location,
        breakpoints::set_temporary,
    ),
    entry(
        T::Breakpoints,
        "breakpoints",
        &["info break", "info breakpoints", "dactions"],
        "",
        "Lists the breakpoints with what they became.",
        "",
        A::Nothing,
        breakpoints::list,
    ),
    entry(
        T::Breakpoints,
        "delete",
        &["d", "ddelete"],
        "[ID…]",
        "Deletes breakpoints; without a number, all.",
        "With a set in front, only for those ranks.",
        A::Breakpoints,
        breakpoints::delete,
    ),
    entry(
        T::Breakpoints,
        "enable",
        &["denable"],
        "[ID…]",
        "Lets breakpoints act again; without a number, all.",
        "",
        A::Breakpoints,
        breakpoints::enable,
    ),
    entry(
        T::Breakpoints,
        "disable",
        &["ddisable"],
        "[ID…]",
        "Keeps breakpoints from acting; without a number, all.",
        "",
        A::Breakpoints,
        breakpoints::disable,
    ),
    entry(
        T::Breakpoints,
        "condition",
        &[],
        "ID [EXPRESSION]",
        "Makes a breakpoint stop only when the expression is true; without one, always.",
        "",
        A::Breakpoints,
        breakpoints::condition,
    ),
    entry(
        T::Breakpoints,
        "after",
        &["ignore"],
        "ID N",
        "Passes over the next N arrivals at a breakpoint, on each rank.",
        "",
        A::Breakpoints,
        breakpoints::after,
    ),
    entry(
        T::Running,
        "go",
        &["continue", "c", "dgo", "dcont", "fg"],
        "",
        "Resumes the stopped ranks.",
        "It returns at once. Ranks that run already, are held or have ended stay as they are.",
        A::Nothing,
        control::go,
    ),
    entry(T::Running, "halt", &["interrupt", "dhalt"], "", "Stops the running ranks.", "", A::Nothing, control::halt),
    entry(
        T::Running,
        "step",
        &["s", "dstep"],
        "[COUNT]",
        "Runs to another line, into functions that have lines.",
        "In a script a step is done when its ranks have stopped, or after the setting `step-patience`.",
        A::Number,
        control::step,
    ),
    entry(
        T::Running,
        "next",
        &["n", "dnext"],
        "[COUNT]",
        "Runs to another line of this function or its caller.",
        "",
        A::Number,
        control::next,
    ),
    entry(
        T::Running,
        "finish",
        &["fin", "dout"],
        "",
        "Runs until the shown frame has returned, and shows the value it returned.",
        "",
        A::Nothing,
        control::finish,
    ),
    entry(
        T::Running,
        "until",
        &["u", "duntil", "advance"],
        "LOCATION",
        "Runs to a place in this function, or until it returns.",
        "",
        A::Location,
        control::until,
    ),
    entry(
        T::Running,
        "stepi",
        &["si"],
        "[COUNT]",
        "Executes one instruction.",
        "",
        A::Number,
        control::step_instruction,
    ),
    entry(
        T::Running,
        "nexti",
        &["ni"],
        "[COUNT]",
        "Executes one instruction, a call as one.",
        "",
        A::Number,
        control::next_instruction,
    ),
    entry(
        T::Running,
        "hold",
        &["dhold"],
        "",
        "Makes ranks ignore go and step.",
        "Useful to let the others go on while some wait.",
        A::Nothing,
        control::hold,
    ),
    entry(
        T::Running,
        "unhold",
        &["dunhold"],
        "",
        "Lets held ranks go and step again.",
        "",
        A::Nothing,
        control::unhold,
    ),
    entry(
        T::Running,
        "wait",
        &["dwait"],
        "[stopped|exited|SET] [for SECONDS]",
        "Waits until ranks are stopped, or have ended.",
        "`wait` and `wait stopped`: until each rank of the focus is stopped or has ended. `wait exited`: until each has \
         ended; one that stops and can only be waited for in vain is an error. With a set: until those ranks are stopped \
         or have ended. When the time is over, the command fails.",
        A::Words(&["stopped", "exited"]),
        control::wait,
    ),
    entry(T::Running, "kill", &["k", "dkill"], "", "Ends processes with SIGKILL.", "", A::Nothing, control::kill),
    entry(
        T::Running,
        "restart",
        &["run", "drerun"],
        "",
        "Ends the job and starts it again, with its breakpoints and sets.",
        "",
        A::Nothing,
        control::restart,
    ),
    entry(
        T::Running,
        "detach",
        &["ddetach"],
        "",
        "Lets processes run on without the debugger.",
        "",
        A::Nothing,
        control::detach,
    ),
    entry(
        T::Stack,
        "where",
        &["bt", "backtrace", "dwhere", "info stack"],
        "[-merge] [-limit N]",
        "Shows stacks, once for all ranks that share one.",
        "`-merge` shows one tree for the whole set, with the ranks on each branch. `-limit N`, or `N` alone, shows the \
         innermost N frames.",
        A::Words(&["-merge", "-limit"]),
        data::where_,
    ),
    entry(
        T::Stack,
        "frame",
        &["f", "info frame"],
        "[N]",
        "Chooses the frame in which names are looked up; 0 is the innermost.",
        "It is 0 again when the shown rank runs.",
        A::Number,
        data::frame,
    ),
    entry(T::Stack, "up", &["dup"], "[N]", "Goes outward, to the caller.", "", A::Number, data::up),
    entry(T::Stack, "down", &["ddown"], "[N]", "Goes inward, to the called.", "", A::Number, data::down),
    entry(
        T::Stack,
        "threads",
        &["info threads"],
        "",
        "Lists threads and where they are.",
        "",
        A::Nothing,
        data::threads,
    ),
    entry(
        T::Stack,
        "thread",
        &["t"],
        "[N]",
        "Chooses the thread that inspections and steps are of.",
        "",
        A::Number,
        data::thread,
    ),
    with_format(entry(
        T::Data,
        "print",
        &["p", "inspect", "dprint"],
        "[/FORMAT] EXPRESSION",
        "Shows a value, once for all ranks that share it.",
        "Values look as gdb prints them. FORMAT is a letter: x hexadecimal, z the same with leading zeros, d decimal, u \
         unsigned, o octal, t binary, c character, a address, f float, s string. An assignment is an expression, too.",
        A::Expression,
        data::print,
    )),
    entry(
        T::Data,
        "locals",
        &["info locals"],
        "",
        "Shows the local variables of the frame.",
        "",
        A::Nothing,
        data::locals,
    ),
    entry(T::Data, "args", &["info args"], "", "Shows the parameters of the frame.", "", A::Nothing, data::arguments),
    entry(
        T::Data,
        "globals",
        &["info variables"],
        "[PATTERN]",
        "Shows the global variables whose names fit a pattern with `*` and `?`.",
        "",
        A::Free,
        data::globals,
    ),
    entry(
        T::Data,
        "whatis",
        &["dwhat"],
        "EXPRESSION",
        "Shows the type of an expression.",
        "",
        A::Expression,
        data::whatis,
    ),
    entry(
        T::Data,
        "ptype",
        &[],
        "TYPE",
        "Shows a type with its members.",
        "TYPE may be an expression, too: its type is shown.",
        A::Expression,
        data::ptype,
    ),
    entry(
        T::Data,
        "set",
        &["dassign", "dset"],
        "EXPRESSION = EXPRESSION | SETTING VALUE",
        "Changes a variable of the program, or a setting of the debugger.",
        "`set var x = 3` says that x is a variable of the program. \"show\" lists the settings.",
        A::Setting,
        data::set,
    ),
    entry(T::Session, "show", &[], "[SETTING]", "Shows the settings of the debugger.", "", A::Setting, session::show),
    with_format(entry(
        T::Data,
        "x",
        &["dexamine"],
        "[/NFU] ADDRESS",
        "Shows memory: N units of U bytes in format F.",
        "N is a number, F a letter as for print, U one of b (1 byte), h (2), w (4), g (8). ADDRESS is an expression.",
        A::Expression,
        data::examine,
    )),
    entry(
        T::Data,
        "write",
        &[],
        "ADDRESS BYTES",
        "Puts bytes into memory.",
        "BYTES are pairs of hexadecimal digits, in the order of their addresses.",
        A::Expression,
        data::write,
    ),
    entry(
        T::Data,
        "registers",
        &["info registers"],
        "[NAME…]",
        "Shows registers of the frame.",
        "",
        A::Free,
        data::registers,
    ),
    entry(
        T::Stack,
        "list",
        &["l", "dlist"],
        "[LOCATION | FIRST,LAST]",
        "Shows lines of the source.",
        "Without a place, those around the shown frame, and then on from there.",
        A::Location,
        data::list,
    ),
    entry(
        T::Signals,
        "signals",
        &["info signals"],
        "[SIGNAL]",
        "Lists signals and what happens when one arrives.",
        "",
        A::Signal(&[]),
        session::signals,
    ),
    entry(
        T::Signals,
        "handle",
        &[],
        "SIGNAL… [no]stop [no]print [no]pass",
        "Changes what happens when a signal arrives.",
        "`stop`: the rank stops, which implies print. `print`: it is reported. `pass`: the program gets it.",
        A::Signal(&["stop", "nostop", "print", "noprint", "pass", "nopass"]),
        session::handle,
    ),
    entry(
        T::Signals,
        "signal",
        &[],
        "SIGNAL",
        "Resumes ranks and gives them a signal.",
        "",
        A::Signal(&[]),
        control::signal,
    ),
    entry(
        T::Data,
        "libraries",
        &["info sharedlibrary", "info dll"],
        "",
        "Lists the loaded files, with load address and whether debug information was found.",
        "",
        A::Nothing,
        data::libraries,
    ),
    entry(T::Session, "output", &[], "SET", "Shows the output of these ranks only.", "", A::Set, session::output),
    entry(T::Session, "log", &[], "FILE | off", "Writes what is shown to a file, too.", "", A::File, session::log),
    entry(
        T::Session,
        "source",
        &[],
        "FILE",
        "Runs the commands of a file, up to the first that fails.",
        "",
        A::File,
        session::source,
    ),
    entry(
        T::Session,
        "alias",
        &[],
        "[NAME = TEXT]",
        "Gives the beginning of a line a name, or lists such names.",
        "`alias bk = break kernel if` makes `bk x > 1` stand for `break kernel if x > 1`.",
        A::Free,
        session::alias,
    ),
    entry(T::Session, "help", &["h", "dhelp"], "[COMMAND]", "Explains the commands.", "", A::Command, session::help),
    entry(
        T::Session,
        "quit",
        &["q", "exit", "dquit"],
        "",
        "Ends the session and the processes it started.",
        "",
        A::Nothing,
        session::quit,
    ),
];

/// The command of a name, an alias, or a beginning that only one has. Otherwise all that begin so.
pub(super) fn find(name: &str) -> Result<&'static Entry, Vec<&'static str>> {
    let one_word = |alias: &&&str| !alias.contains(' ');
    if let Some(entry) = ENTRIES.iter().find(|entry| entry.name == name || entry.aliases.contains(&name)) {
        return Ok(entry);
    }
    let begins = |entry: &&Entry| {
        entry.name.starts_with(name) || entry.aliases.iter().filter(one_word).any(|alias| alias.starts_with(name))
    };
    let found: Vec<&Entry> = ENTRIES.iter().filter(begins).collect();
    match found.as_slice() {
        [entry] if !name.is_empty() => Ok(entry),
        _ => Err(found.iter().map(|entry| entry.name).collect()),
    }
}

/// The command of two words, the first a beginning of `info`.
pub(super) fn find_two_words(first: &str, second: &str) -> Option<&'static Entry> {
    if first.is_empty() || !"info".starts_with(first) {
        return None;
    }
    let whole = format!("info {second}");
    if let Some(entry) = ENTRIES.iter().find(|entry| entry.aliases.contains(&whole.as_str())) {
        return Some(entry);
    }
    let mut found = ENTRIES.iter().filter(|entry| entry.aliases.iter().any(|alias| alias.starts_with(&whole)));
    let entry = found.next()?;
    found.next().is_none().then_some(entry)
}

/// A command that is spelled nearly like this.
pub(super) fn nearest(name: &str) -> Option<&'static str> {
    let names = ENTRIES.iter().flat_map(|entry| std::iter::once(&entry.name).chain(entry.aliases));
    let scored = names.map(|&known| (distance(name, known), known));
    scored.filter(|&(distance, _)| distance <= 1 + name.len() / 5 && name.len() > 2).min().map(|(_, known)| known)
}

/// Insertions, deletions, replacements and swaps of neighbours that make one word the other.
fn distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().take(40).collect(), b.chars().collect());
    let mut rows = vec![vec![0; b.len() + 1]; a.len() + 1];
    for i in 0..=a.len() {
        for j in 0..=b.len() {
            rows[i][j] = if i == 0 || j == 0 {
                i + j
            } else {
                let same = usize::from(a[i - 1] != b[j - 1]);
                let mut best = (rows[i - 1][j - 1] + same).min(rows[i - 1][j] + 1).min(rows[i][j - 1] + 1);
                if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                    best = best.min(rows[i - 2][j - 2] + 1);
                }
                best
            };
        }
    }
    rows[a.len()][b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_name_means_two_commands() {
        let mut names: Vec<&str> =
            ENTRIES.iter().flat_map(|e| std::iter::once(&e.name).chain(e.aliases)).copied().collect();
        names.extend(LATER.iter().copied().flatten());
        let count = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), count);
    }

    #[test]
    fn summaries_are_sentences() {
        for entry in ENTRIES {
            assert!(entry.summary.ends_with('.'), "{}", entry.name);
            assert!(entry.summary.starts_with(char::is_uppercase), "{}", entry.name);
        }
    }

    #[test]
    fn near_misses_are_found() {
        assert_eq!(nearest("prnit"), Some("print"));
        assert_eq!(nearest("brekpoints"), Some("breakpoints"));
        assert_eq!(nearest("zzz"), None);
        assert_eq!(find("un").unwrap_err(), ["ungroup", "until", "unhold"]);
    }
}
