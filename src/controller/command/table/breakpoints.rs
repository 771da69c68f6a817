//! The breakpoint commands.

use super::{ArgumentKind as A, Entry, Repeat, entry};
use crate::command::parse::{breakpoints, skips};

/// The events of `catch`, for completion.
const EVENTS: &[&str] =
    &["throw", "catch", "rethrow", "exec", "fork", "vfork", "signal", "load", "unload", "syscall", "fpe"];

pub(super) const ENTRIES: &[Entry] = &[
    entry(
        "break",
        &["b", "dbreak"],
        "[LOCATION] [thread N] [if EXPRESSION] [after N]",
        "Stops ranks when they reach a location.",
        "LOCATION is `file:line`, `line` of the shown file, `function`, or `*ADDRESS`; the default is the current \
            line of the shown rank. A location that does not exist yet is pending until a library defines it: the \
            screen asks whether to keep it, a script keeps it and reports what is missing. The servers evaluate \
            the condition; `after N` ignores the first N hits for which it is true, on each rank. `thread N`, \
            before or behind the condition, stops only that thread. Breakpoints are instructions in the code; `hbreak` uses a \
            debug register.",
        A::Location,
        breakpoints::set,
    ),
    entry(
        "tbreak",
        &["tb"],
        "[LOCATION] [thread N] [if EXPRESSION] [after N]",
        "Sets a breakpoint that is deleted at its first stop.",
        "Each rank deletes it at its own first stop; the arguments are those of `break`.",
        A::Location,
        breakpoints::set_temporary,
    ),
    entry(
        "hbreak",
        &[],
        "[LOCATION] [thread N] [if EXPRESSION] [after N]",
        "Sets a breakpoint in a debug register of the processor, which changes no code.",
        "For code that checks or rewrites itself. The processor has four debug registers for each process, which \
            watchpoints use, too; a breakpoint needs one for each of its places. The arguments are those of `break`.",
        A::Location,
        breakpoints::set_hardware,
    ),
    entry(
        "thbreak",
        &[],
        "[LOCATION] [thread N] [if EXPRESSION] [after N]",
        "Sets a breakpoint in a debug register that is deleted at its first stop.",
        "As `hbreak`; each rank deletes it at its own first stop.",
        A::Location,
        breakpoints::set_hardware_temporary,
    ),
    entry(
        "rbreak",
        &[],
        "[-limit N] [FILE:]REGEX",
        "Sets a breakpoint at each function whose name matches a regular expression.",
        "REGEX is as for `functions`, and searches the program and its libraries; FILE, the end of a path, restricts it to \
            the functions that this source file defines. Ranks with the same function share one breakpoint. If more than \
            200 functions match, or N, none is set, and the reply says how many there are. `commands` without numbers, \
            on the next line, applies to all of them.",
        A::Location,
        breakpoints::each_function,
    ),
    entry(
        "barrier",
        &["dbarrier"],
        "[LOCATION] [thread N] [if EXPRESSION] [after N]",
        "Stops ranks at a location and holds each until all of the set have reached it.",
        "A held rank ignores `go` and steps; the others continue. When the last living rank arrives, all are \
            released, stopped at the same location. `unhold`, or deleting the barrier, releases them earlier.",
        A::Location,
        breakpoints::barrier,
    ),
    entry(
        "watch",
        &["dwatch"],
        "EXPRESSION [thread N] [if EXPRESSION] [after N]",
        "Stops ranks when a value changes, and shows the old and the new value.",
        "`watch -location EXPRESSION` (`-l`) watches the memory that the expression refers to now. A value of at \
            most four aligned words of memory is watched in hardware, at full speed; otherwise the rank steps \
            every instruction, and the reply says so. A watchpoint on local variables is deleted when their \
            function returns.",
        A::Expression,
        breakpoints::watch,
    ),
    entry(
        "rwatch",
        &[],
        "EXPRESSION [thread N] [if EXPRESSION] [after N]",
        "Stops ranks when a value is read.",
        "Needs debug registers: at most four aligned words of memory.",
        A::Expression,
        breakpoints::watch_reads,
    ),
    entry(
        "awatch",
        &[],
        "EXPRESSION [thread N] [if EXPRESSION] [after N]",
        "Stops ranks when a value is read or written.",
        "Needs debug registers: at most four aligned words of memory.",
        A::Expression,
        breakpoints::watch_all,
    ),
    entry(
        "catch",
        &[],
        "throw|catch|rethrow|exec|fork|vfork|signal [NAME…|all]|load [PATTERN]|unload [PATTERN]|syscall [CALL…]|fpe [KIND…] \
            [thread N] [if EXPRESSION] [after N]",
        "Stops ranks when they throw or catch an exception, fork, exec, receive a signal, load a library, make a system \
            call or compute a wrong number.",
        "`throw`, `catch`, `rethrow`: a C++ exception. `exec`: the rank executes another program. `fork`, `vfork`: it creates \
            a process. `signal`: a thread is about to receive a signal, any but those of debuggers, a named one, or with `all` any at \
            all, whatever `handle` says. `load`, `unload`: it loads or unloads a library whose file name matches the pattern with `*` and \
            `?`. `syscall`: a thread begins or ends a system call, any or those given by name, number or \
            `group:NAME` (`descriptor`, `file`, `ipc`, `memory`, `network`, `process`, `signal`); the stop shows its \
            arguments, and at the end its result. `fpe`: an \
            instruction of any thread raises a floating-point exception, `invalid`, `zero` or `overflow` unless the \
            kinds are named (also `underflow`, `inexact`); the stop shows the instruction and its operands, and the \
            program continues with the result that it would have had.",
        A::Words(EVENTS),
        breakpoints::catch,
    ),
    entry(
        "tcatch",
        &[],
        "EVENT [thread N] [if EXPRESSION] [after N]",
        "Sets a catchpoint that is deleted at its first stop.",
        "Each rank deletes it at its own first stop; EVENT is as for `catch`.",
        A::Words(EVENTS),
        breakpoints::catch_once,
    ),
    entry(
        "trace",
        &[],
        "[LOCATION], EXPRESSION, … [thread N] [if EXPRESSION] [after N]",
        "Shows values each time ranks reach a location, and continues them.",
        "Only the thread that hits the location stops while the values are read: `trace ring.c:12, n, c.t if n > 3`.",
        A::Location,
        breakpoints::trace,
    ),
    entry(
        "dprintf",
        &[],
        "[LOCATION], \"FORMAT\"[, EXPRESSION, …] [thread N] [if EXPRESSION] [after N]",
        "Prints values in a format each time ranks reach a location, and continues them.",
        "FORMAT is that of `printf`. Only the thread that hits the location stops while the values are read: `dprintf \
            ring.c:12, \"n = %d\\n\", n if n > 3`. `disable` and `condition` change it like a breakpoint.",
        A::Location,
        breakpoints::print_at,
    ),
    entry(
        "skip",
        &[],
        "[NAME | function [NAME] | file [FILE] | -function NAME | -rfunction REGEX | -file FILE | -gfile PATTERN | delete|enable|disable [ID…]]",
        "Makes `step` pass over functions: by name, by file, or both.",
        "Without a name, those of the shown frame. NAME has the scopes of C++ and no parameters; FILE is the end of a \
            path; PATTERN has `*` and `?` and, without a `/`, is for the file's name; REGEX is extended: `(`, `|` and `+` \
            need no backslash. `skip \
            -rfu ^std::` skips a namespace, `skip -gfile *.h -function \
            size` skips functions of that name in those files. `step` runs through a skipped function as `next` does; \
            breakpoints in it stop. `info skip` lists the numbers.",
        A::Words(&["function", "file", "delete", "enable", "disable", "-function", "-rfunction", "-file", "-gfile"]),
        skips::skip,
    ),
    entry(
        "skips",
        &["info skip"],
        "[ID…]",
        "Lists the functions and files that `step` passes over, with their numbers.",
        "",
        A::Nothing,
        skips::list,
    ),
    entry(
        "breakpoints",
        &["info break", "info breakpoints", "dactions"],
        "[ID…]",
        "Lists breakpoints, watchpoints, catchpoints and tracepoints with their numbers, locations and hits.",
        "Without a number, all. `2-5` is a range of numbers.",
        A::Breakpoints,
        breakpoints::list,
    )
    .repeating(Repeat::Same),
    entry(
        "watchpoints",
        &["info watchpoints"],
        "[ID…]",
        "Lists watchpoints with their numbers, expressions and hits.",
        "Without a number, all. `2-5` is a range of numbers.",
        A::Breakpoints,
        breakpoints::list_watchpoints,
    )
    .repeating(Repeat::Same),
    entry(
        "delete",
        &["d", "ddelete"],
        "[ID…]",
        "Deletes breakpoints; without a number, all.",
        "`2-5` is a range of numbers. With a set in front, deletes them only on those ranks.",
        A::Breakpoints,
        breakpoints::delete,
    ),
    entry(
        "clear",
        &["cl"],
        "[LOCATION]",
        "Deletes the breakpoints at a location; without one, those at the line of the shown frame.",
        "LOCATION is as for `break`. With a set in front, deletes them only on those ranks.",
        A::Location,
        breakpoints::clear,
    ),
    entry(
        "enable",
        &["denable"],
        "[once | count N | delete] [ID…] | display [NUMBER…] | pretty-printer [REGEX [REGEX]]",
        "Enables breakpoints; without a number, all. Or enables displayed expressions or printers.",
        "`2-5` is a range of numbers. With `once`, each rank disables them at its next stop there, with `count N` at \
            the Nth, and with `delete` it deletes them at the next. For `pretty-printer` see `disable`.",
        A::Breakpoints,
        breakpoints::enable,
    ),
    entry(
        "disable",
        &["dis", "ddisable"],
        "[ID…] | display [NUMBER…] | pretty-printer [REGEX [REGEX]]",
        "Disables breakpoints; without a number, all. Or disables displayed expressions or printers.",
        "`2-5` is a range of numbers. `disable pretty-printer` disables all printers: values are shown by their \
            members. With a regular expression, disables those whose file or type matches it, as `info pretty-printer` \
            lists them; with two, those whose file matches the first and whose type matches the second. Ranks under gdb \
            have gdb's printers: `engine disable pretty-printer`.",
        A::Breakpoints,
        breakpoints::disable,
    ),
    entry(
        "condition",
        &[],
        "ID [EXPRESSION]",
        "Makes a breakpoint stop only when the expression is true; without one, always.",
        "The servers evaluate the expression at each hit: `condition 1 i > 3`.",
        A::Breakpoints,
        breakpoints::condition,
    ),
    entry(
        "after",
        &["ignore"],
        "ID N",
        "Ignores the next N hits of a breakpoint.",
        "Each rank counts its own hits.",
        A::Breakpoints,
        breakpoints::after,
    ),
];
