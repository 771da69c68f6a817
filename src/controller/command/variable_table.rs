//! The table of settings: their names, types, defaults, limits and descriptions.

use model::{DisassemblyFlavor, Follow, Locking, PrintSwitch, PrintSwitches, SourceRules};

/// The type of a setting's values.
#[derive(Clone, Copy, Debug)]
pub enum Sort {
    /// A number.
    Number {
        /// The initial value.
        default: f64,
        /// The smallest value.
        least: f64,
        /// The largest value.
        greatest: f64,
        /// The unit, or nothing.
        unit: &'static str,
    },
    /// A number, or `unlimited`, which 0 also means.
    Limit {
        /// The initial value.
        default: u32,
    },
    /// A number, or `unlimited`, which -1 also means.
    Depth {
        /// The initial value.
        default: u32,
    },
    /// `on` or `off`; no value is `on`, as in gdb.
    Print(PrintSwitch),
    /// `true`, `false`, or the word of the default.
    Switch {
        /// The initial value.
        default: &'static str,
    },
    /// Patterns for names of libraries; initially none.
    Globs,
    /// Patterns for code, see [`MyCode`]; initially none.
    CodeGlobs,
    /// An absolute path; initially none.
    Path,
    /// Directories to search for sources, see [`SourceRules`].
    Directories,
    /// Directories to replace in the paths of sources, see [`SourceRules`]; initially none.
    Substitutions,
    /// One word of a list.
    Word {
        /// The initial word.
        default: &'static str,
        /// The allowed words.
        words: &'static [&'static str],
    },
}

/// A setting.
#[derive(Clone, Copy, Debug)]
pub struct Variable {
    /// The name for `set` and `show`.
    pub name: &'static str,
    /// The type of its values.
    pub sort: Sort,
    /// The description, with the unit.
    pub meaning: &'static str,
}

impl Variable {
    /// Returns the initial value, as `show` formats it.
    pub fn default_text(&self) -> String {
        match self.sort {
            Sort::Number { default, .. } => default.to_string(),
            Sort::Limit { default } | Sort::Depth { default } => default.to_string(),
            Sort::Print(switch) => on_or_off(PrintSwitches::default().has(switch)).to_owned(),
            Sort::Switch { default } | Sort::Word { default, .. } => default.to_owned(),
            Sort::Directories => SourceRules::default().directories_text(),
            Sort::Globs | Sort::CodeGlobs | Sort::Path | Sort::Substitutions => "\"\"".to_owned(),
        }
    }

    /// Returns a value as `set` takes it.
    pub fn written(&self, value: &str) -> String {
        let plain = !value.is_empty() && !value.contains([' ', '#']);
        let is_quoted = plain || value.starts_with('"') || matches!(self.sort, Sort::Substitutions);
        if is_quoted { value.to_owned() } else { format!("\"{value}\"") }
    }

    /// True if the engines act on it.
    pub fn is_for_engines(&self) -> bool {
        self.name != CONFIRM && (!matches!(self.sort, Sort::Number { .. }) || self.name == CALL_LIMIT)
    }
}

/// The spelling of a switch.
pub(super) fn on_or_off(on: bool) -> &'static str {
    if on { "on" } else { "off" }
}

/// The seconds for which a function called by an expression may run.
pub(super) const CALL_LIMIT: &str = "call-limit";

/// The most elements of a value that are shown.
pub(super) const PRINT_ELEMENTS: &str = "print-elements";
pub(super) const PRINT_REPEATS: &str = "print-repeats";
/// The most different values of ranks that are shown each.
pub(super) const PRINT_VALUES: &str = "print-values";
pub(super) const PRINT_MAX_DEPTH: &str = "print-max-depth";

/// gdb's name of the setting.
pub(super) const DISASSEMBLY_FLAVOR: &str = "disassembly-flavor";

/// gdb's `print frame-arguments`.
pub(super) const FRAME_ARGUMENTS: &str = "print-frame-arguments";

/// The patterns of the user's code.
pub(super) const MY_CODE: &str = "my-code";

/// The number of output lines that are kept.
pub const OUTPUT_LINES: &str = "output-lines";

/// gdb's name of the setting.
pub(super) const FOLLOW: &str = "follow-fork-mode";
pub(super) const LOCKING: &str = "scheduler-locking";

/// gdb's name of the setting.
pub(super) const CONFIRM: &str = "confirm";

/// Whether ranks stop for errors that run-time libraries report.
pub(super) const STOP_ON_ERROR: &str = "stop-on-error";

/// The queue library that `queues` loads.
pub(super) const QUEUE_LIBRARY: &str = "queue-library";

/// gdb's names of the settings for source files.
pub(super) const DIRECTORIES: &str = "directories";
pub(super) const SUBSTITUTE_PATH: &str = "substitute-path";

/// All settings, with their defaults and limits.
pub const VARIABLES: &[Variable] = &[
    Variable {
        name: CALL_LIMIT,
        sort: Sort::Number { default: 4.0, least: 0.0, greatest: 1e6, unit: "s" },
        meaning: "timeout in seconds for functions that an expression calls, after which the call is undone; 0: none",
    },
    Variable {
        name: CONFIRM,
        sort: Sort::Word { default: "on", words: &["on", "off"] },
        meaning: "whether the full screen asks before `run` and `restart`, and before `delete` without numbers; `quit` \
            always asks what becomes of living ranks, and scripts never ask",
    },
    Variable {
        name: DIRECTORIES,
        sort: Sort::Directories,
        meaning: "directories on the ranks' hosts, separated by colons, to search for sources; `$cdir`: the one of the \
            compilation; `$cwd`: the one in which the job was started; `directory DIR` adds one in front",
    },
    Variable {
        name: DISASSEMBLY_FLAVOR,
        sort: Sort::Word { default: "att", words: DisassemblyFlavor::WORDS },
        meaning: "syntax of instructions in `disassemble` and `x/i`",
    },
    Variable {
        name: "dlopen_always_recalculate",
        sort: Sort::Switch { default: "auto" },
        meaning: "when to re-evaluate breakpoints for loaded libraries: true: on every load; false: only for those \
            that match `dlopen_recalculate_on_match`; auto: only while a breakpoint is pending",
    },
    Variable {
        name: "dlopen_recalculate_on_match",
        sort: Sort::Globs,
        meaning: "names of libraries, separated by colons, each with an optional `*` at its end: breakpoints are \
            re-evaluated when one is loaded, for other libraries when the rank stops; `\"\"`: none",
    },
    Variable {
        name: FOLLOW,
        sort: Sort::Word { default: "parent", words: Follow::WORDS },
        meaning: "which process to debug after a fork: parent: the child runs free; child: the parent runs free; \
            both: the parent, and the child stays stopped for `rankscope attach PID`",
    },
    Variable {
        name: "linger",
        sort: Sort::Number { default: 600.0, least: 0.0, greatest: 1e9, unit: "s" },
        meaning: "seconds to keep a session without a front end after all its ranks have ended",
    },
    Variable {
        name: "list-size",
        sort: Sort::Number { default: 10.0, least: 1.0, greatest: 10_000.0, unit: "" },
        meaning: "lines that `list` shows at a time",
    },
    Variable {
        name: "loop-limit",
        sort: Sort::Number { default: 100_000.0, least: 1.0, greatest: 1e12, unit: "" },
        meaning: "most rounds of a `while`; then the command fails",
    },
    Variable {
        name: MY_CODE,
        sort: Sort::CodeGlobs,
        meaning: "patterns with `*` and `?`, separated by blanks or commas, of libraries, source files (with a `/`: \
            whole paths) and functions that are your own code; with a `-` before one: that are not; the last that \
            fits counts, before the usual libraries of the system, MPI and compilers; `\"\"`: none",
    },
    Variable {
        name: OUTPUT_LINES,
        sort: Sort::Number { default: 20_000.0, least: 1.0, greatest: 1e7, unit: "" },
        meaning: "lines of program output that the screen keeps, at most 64 MiB; its first row counts the dropped \
            ones",
    },
    Variable {
        name: "patience",
        sort: Sort::Number { default: 5.0, least: 0.01, greatest: 3600.0, unit: "s" },
        meaning: "seconds to wait for replies before silent ranks are reported as missing",
    },
    Variable {
        name: "print-address",
        sort: Sort::Print(PrintSwitch::Address),
        meaning: "show the addresses of pointers, references and functions",
    },
    Variable {
        name: "print-array",
        sort: Sort::Print(PrintSwitch::Array),
        meaning: "print each element of an array on a line of its own",
    },
    Variable {
        name: "print-array-indexes",
        sort: Sort::Print(PrintSwitch::ArrayIndexes),
        meaning: "print the index before each element of an array",
    },
    Variable {
        name: PRINT_ELEMENTS,
        sort: Sort::Limit { default: 200 },
        meaning: "most elements of an array or container, or characters of a string, to print; 0 or unlimited: all, \
            up to 65,536 elements and 64 KiB of an array",
    },
    Variable {
        name: FRAME_ARGUMENTS,
        sort: Sort::Word { default: "scalars", words: &["all", "scalars", "none", "presence"] },
        meaning: "arguments of frames in stacks: all: with their values; scalars: structures and arrays as `...`; none: \
            every value as `...`; presence: only `(...)`. Of ranks that share a frame, numbers that differ are a range, \
            `rank=0..3`, other values `<differs>`",
    },
    Variable {
        name: PRINT_MAX_DEPTH,
        sort: Sort::Depth { default: 20 },
        meaning: "print structures and arrays nested more deeply than this as `{...}`; -1 or unlimited: never",
    },
    Variable {
        name: "print-null-stop",
        sort: Sort::Print(PrintSwitch::NullStop),
        meaning: "print arrays of characters up to the first NUL",
    },
    Variable {
        name: "print-object",
        sort: Sort::Print(PrintSwitch::Object),
        meaning: "print objects, and pointers to them, with the class that the object has when the program runs",
    },
    Variable {
        name: "print-pretty",
        sort: Sort::Print(PrintSwitch::Pretty),
        meaning: "print each member of a structure on a line of its own",
    },
    Variable {
        name: "print-raw-values",
        sort: Sort::Print(PrintSwitch::RawValues),
        meaning: "print the members of containers instead of their contents",
    },
    Variable {
        name: PRINT_REPEATS,
        sort: Sort::Limit { default: 10 },
        meaning: "print runs of at least this many equal elements once, with their number; 0 or unlimited: never",
    },
    Variable {
        name: "print-static-members",
        sort: Sort::Print(PrintSwitch::StaticMembers),
        meaning: "print the static members of classes",
    },
    Variable {
        name: "print-symbol",
        sort: Sort::Print(PrintSwitch::Symbol),
        meaning: "print the symbol at the address of a pointer to data; pointers to functions always have it",
    },
    Variable {
        name: "print-union",
        sort: Sort::Print(PrintSwitch::Union),
        meaning: "print the members of unions within structures; off: as `{...}`",
    },
    Variable {
        name: PRINT_VALUES,
        sort: Sort::Limit { default: 1000 },
        meaning: "print at most this many different values of ranks; sum up more in the servers; 0 or unlimited: all",
    },
    Variable {
        name: "reverse-listen",
        sort: Sort::Number { default: 1.0, least: 0.0, greatest: 2.0, unit: "" },
        meaning: "when to look for reverse-connect requests: 0: never; 1: while no program is debugged; 2: always",
    },
    Variable {
        name: QUEUE_LIBRARY,
        sort: Sort::Path,
        meaning: "path, on the ranks' hosts, of the MPI's message-queue library for `queues` and `why`; `\"\"`: the one \
            that the program names, if it is in the directory of the MPI",
    },
    Variable {
        name: LOCKING,
        sort: Sort::Word { default: "replay", words: Locking::WORDS },
        meaning: "whether other threads stay stopped while one runs: on: always; step: while it steps; off, replay: \
            never",
    },
    Variable {
        name: "stack-limit",
        sort: Sort::Number { default: 1000.0, least: 1.0, greatest: 1e6, unit: "" },
        meaning: "most frames to read of a stack",
    },
    Variable {
        name: "step-patience",
        sort: Sort::Number { default: 5.0, least: 0.0, greatest: 3600.0, unit: "s" },
        meaning: "seconds that a step in a script waits for its ranks to stop before the script continues",
    },
    Variable {
        name: STOP_ON_ERROR,
        sort: Sort::Word { default: "on", words: &["on", "off"] },
        meaning: "whether a rank stops where a library reports an error: `MPI_Abort`, errors of Fortran's run-time \
            library, reports of sanitizers",
    },
    Variable {
        name: SUBSTITUTE_PATH,
        sort: Sort::Substitutions,
        meaning: "FROM TO: sources compiled in directory FROM are now in TO, on the ranks' hosts; each `set` adds a \
            rule, the first that fits a path counts; `unset substitute-path FROM` removes one",
    },
];

/// The beginning of the names that TotalView gives to its state variables; two of them are settings here.
const OF_TOTALVIEW: &str = "TV::";

pub(super) fn find(name: &str) -> Option<&'static Variable> {
    let of_totalview = name.strip_prefix(OF_TOTALVIEW).filter(|name| name.starts_with("dlopen_"));
    let name = if name == "follow-fork" { FOLLOW } else { of_totalview.unwrap_or(name) };
    VARIABLES.iter().find(|variable| variable.name == name)
}

/// The beginning of the names of the settings for printing values.
pub(super) const PRINT: &str = "print-";

/// Returns the words that `set print` takes: those that begin like `word`, or all if none does.
pub(super) fn print_words(word: &str) -> Vec<&'static str> {
    let all = || VARIABLES.iter().filter_map(|variable| variable.name.strip_prefix(PRINT));
    let alike: Vec<&str> = all().filter(|name| name.starts_with(word)).collect();
    if alike.is_empty() { all().collect() } else { alike }
}

/// Settings by the two words that gdb has for them.
const OTHER_NAMES: [(&str, &str, &str); 1] = [("backtrace", "limit", "stack-limit")];

/// Finds a setting by gdb's name, if it has two words that are not those of its name here.
pub(super) fn find_other(first: &str, second: &str) -> Option<&'static Variable> {
    let is_meant = |(one, two, _): &&(&str, &str, &str)| *one == first && *two == second;
    OTHER_NAMES.iter().find(is_meant).and_then(|(.., name)| find(name))
}

/// Finds a setting for printing by a word after `set print`, abbreviated as in gdb: `set p elem 0`.
pub(super) fn find_print(word: &str) -> Option<&'static Variable> {
    let of_print = |variable: &&Variable| variable.name.strip_prefix(PRINT).is_some_and(|name| name.starts_with(word));
    let mut fitting = VARIABLES.iter().filter(of_print);
    match (find(&format!("{PRINT}{word}")), fitting.next(), fitting.next()) {
        (Some(whole), ..) => Some(whole),
        (None, Some(only), None) if !word.is_empty() => Some(only),
        _ => None,
    }
}
