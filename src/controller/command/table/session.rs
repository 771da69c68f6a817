//! Commands about the session and the debugger itself.

use super::{ArgumentKind as A, Entry, Repeat, entry, with_format};
use crate::command::parse::{reverse, saving, session, settings};

pub(super) const ENTRIES: &[Entry] = &[
    entry(
        "show",
        &[],
        "[SETTING] | args | environment [NAME] | cwd | logging | version",
        "Shows the settings of the debugger, or how the program is started.",
        "`set SETTING VALUE` changes one; `help set` describes them. `show args` shows the arguments of the next start, \
            `show environment` the variables that were changed for it, `show cwd` its working directory.",
        A::Setting,
        session::show,
    ).repeating(Repeat::Same),
    entry(
        "directory",
        &["dir"],
        "[DIR…]",
        "Searches directories for source files before the others.",
        "For programs that were compiled elsewhere. In DIR, and in what `$cdir` (the directory of the compilation) and \
            `$cwd` (the one in which the job was started) stand for, gdb's places are tried: the name that the compiler \
            was given, the whole path, and the file's own name; before the last, the longest end of the path that is \
            below DIR. Directories are those of the ranks' hosts, relative ones begin at `$cwd`; colons or blanks \
            separate them. Without any, only `$cdir:$cwd` are searched again. `show directories` lists them, `set \
            directories` replaces them; `set substitute-path FROM TO` replaces the beginning of paths instead.",
        A::File,
        session::directory,
    ),
    entry(
        "unset",
        &[],
        "environment NAME | substitute-path [FROM]",
        "Removes a variable from the environment of the program, or a rule for the paths of sources.",
        "`unset environment NAME` applies from the next start on; `show environment` lists the changes, `set environment \
            NAME=VALUE` makes one. `unset substitute-path FROM` removes the rule that replaces directory FROM, without \
            FROM all rules; `show substitute-path` lists them, `set substitute-path FROM TO` adds one.",
        A::Words(&["environment", "substitute-path"]),
        session::unset,
    ),
    with_format(entry(
        "output",
        &[],
        "SET | EXPRESSION",
        "Chooses the ranks whose output is shown, or prints a value without its name.",
        "`output all` shows the output of all again. What is no set, such as `$x` or `x + 1`, and a name that no group \
            has, is an expression: its value is printed as by `print`, but neither recorded nor followed by the end \
            of the line. `output/d 3` prints a number.",
        A::Set,
        session::output,
    )),
    entry(
        "log",
        &[],
        "FILE | off",
        "Also writes the debugger's output to a file.",
        "`log off` stops.",
        A::File,
        session::log,
    ),
    entry(
        "report",
        &[],
        "[DIR]",
        "Writes a report about all ranks: report.html and report.json.",
        "It has the states, `why`, the merged stacks of all threads, the variables of all frames of your code, the \
            limits, the output and the libraries. The page is one file that works offline. DIR is created; without one, it is \
            `rankscope-report-` and the name of the session. Running ranks are only named: `halt` them first.",
        A::File,
        session::report,
    ),
    entry(
        "with",
        &["w"],
        "SETTING [VALUE] -- COMMAND",
        "Runs a command with another value of a setting.",
        "`with print pretty -- locals`, `with patience 60 -- where`. SETTING and VALUE are as for `set`; after the command \
            the setting has its value of before.",
        A::Setting,
        settings::with,
    ),
    entry(
        "source",
        &[],
        "[FILE]",
        "Runs the commands of a file, up to the first that fails.",
        "Without a name, runs the file that `save` wrote for this program. A file may be a `.gdbinit`: settings and commands \
            of gdb without an effect here are noted, once a file, and the rest runs; Python is ignored with the commands \
            that it would define. After `else` in the file another `if` may follow.",
        A::File,
        session::source,
    ),
    entry(
        "printers",
        &["info pretty-printer", "info printers"],
        "[FILE]",
        "Loads a file of printers, which show the values of your types, or lists the printers.",
        "A printer says by type what is shown of a value: a title, members, the elements of a list or tree. The files \
            in `printers` of the configuration directory (`*.toml`) and `PROGRAM-printers.toml` beside the program \
            are loaded at the start; the file that was loaded last is tried first. `print/r` shows a value without \
            printers. `info printers TEXT` lists those of types whose names contain TEXT.",
        A::File,
        session::printers,
    ),
    entry(
        "save",
        &[],
        "[FILE] | breakpoints FILE | @NAME | EXPRESSION FILE",
        "Writes the session's setup to a file, as commands, or the data of an expression.",
        "The setup is breakpoints, groups, aliases, displayed expressions and settings. Without a name, saves them for \
            this program: the next session on it reports that, and `source` restores them. Watchpoints are not saved. \
            `save breakpoints FILE` writes only breakpoints, with their commands, the hits that they still ignore, and what \
            `enable once` and its like have left. `save @NAME` keeps the job: `rankscope run \
            @NAME` starts it again, with its options, arguments and the variables that commands set, and restores the \
            setup (a script does that by `source`). `save EXPRESSION FILE` writes the \
            numbers of an array, of a container, or one number: for numpy if FILE ends with `.npy`, as text with commas \
            if with `.csv`, and otherwise as bytes, also of other values; EXPRESSION is as for `stats`. numpy reads \
            structs by their members: `a['mass']`. On the screen, `save`, `dump` and their like ask before they replace a \
            file that exists. FILE is on the \
            host of rankscope; `%r` in its name is the number of the rank, and gives each rank a file of its own. \
            Without it, an array for numpy has the ranks along its first axis, a line of text begins with the rank, and \
            bytes are refused; for one rank there is no such axis. Subscripts have the order of the source, in Fortran, \
            too. `halt` interrupts the writing and removes what is incomplete.",
        A::File,
        saving::save,
    ),
    entry(
        "shell",
        &["!"],
        "COMMAND",
        "Runs a command in a shell on this host, and shows its output.",
        "On the host of the front end, not on those of the ranks. The shell is that of `SHELL`, without a terminal and \
            without input; `!make` needs no blank. A status other than 0 is an error.",
        A::Free,
        session::shell,
    ),
    entry(
        "make",
        &[],
        "[ARGUMENTS]",
        "Runs make on this host, and shows its output, as `shell make`.",
        "In the working directory of the front end. `run` starts what was built.",
        A::Free,
        session::make,
    ),
    entry(
        "pipe",
        &["|"],
        "[-d DELIMITER] COMMAND | SHELL",
        "Runs a command, and gives what it shows to a command of the shell on this host.",
        "`pipe where | grep solve`, `| info threads | wc -l`. With `-d`, another text separates the two: `pipe -d : print \
            a | b : cat`. Errors are shown, not piped.",
        A::Command,
        session::pipe,
    ),
    entry(
        "alias",
        &[],
        "[NAME = TEXT]",
        "Defines an abbreviation for the start of a command, or lists them.",
        "With `alias bk = break kernel if`, `bk x > 1` means `break kernel if x > 1`. TEXT starts with a command.",
        A::Free,
        session::alias,
    ),
    entry(
        "reverse",
        &["dload"],
        "list | accept [ID [leave|kill]] | reject ID [REASON] | wait [SECONDS] | listen on|off",
        "Answers tvconnect requests of programs that ask for a debugger.",
        "`accept` switches to the program's session; without an ID it accepts the only request. If the current \
            session has living ranks, `leave` leaves it running, to be resumed later, and `kill` kills it; \
            without either, `accept` is refused. An ID may be shortened to a unique beginning or end, or be the \
            number that `list` shows. `reject` also removes stale requests. `wait` waits for a request. `listen \
            on` looks for requests during a session, too. `dload -accept` and the like mean the same.",
        A::Words(&["list", "accept", "reject", "wait", "listen"]),
        reverse::reverse,
    ),
    entry(
        "help",
        &["h", "dhelp"],
        "[COMMAND]",
        "Describes a command, or lists all commands.",
        "",
        A::Command,
        session::help,
    ).repeating(Repeat::Same),
    entry(
        "apropos",
        &[],
        "[-v] REGEX",
        "Lists the commands and settings in whose names or help a regular expression is found.",
        "REGEX is as for `functions`, and ignores case; -v shows the whole help.",
        A::Free,
        session::apropos,
    ).repeating(Repeat::Same),
    entry(
        "quit",
        &["q", "exit", "dquit"],
        "",
        "Ends the session and kills the processes it started.",
        "",
        A::Nothing,
        session::quit,
    ),
];
