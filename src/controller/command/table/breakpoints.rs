//! Commands that say where to stop.

use super::{ArgumentKind as A, Entry, Topic, entry};
use crate::command::parse::breakpoints;

const TOPIC: Topic = Topic::Breakpoints;

pub(super) const ENTRIES: &[Entry] = &[
    entry(
        TOPIC,
        "break",
        &["b", "dbreak"],
        "[LOCATION] [thread N] [if EXPRESSION] [after N]",
        "Stops ranks when they come to a place.",
        "LOCATION is `file:line`, `line` of the shown file, `function`, or `*ADDRESS`; without one, the line the shown \
         rank is at. A place that is not there yet is pending: it is set when a library brings it. The screen asks \
         whether to keep it, a script goes on and its answer says what is missing. The condition is \
         evaluated beside the process; `after N` passes over the first N arrivals for which it is true, on each rank. \
         `thread N`, before the condition, leaves the other threads alone.",
        A::Location,
        breakpoints::set,
    ),
    entry(
        TOPIC,
        "tbreak",
        &["tb"],
        "[LOCATION] [thread N] [if EXPRESSION] [after N]",
        "Sets a breakpoint that goes away with its first stop.",
        "Each rank loses it with its own first stop there; the arguments are those of `break`.",
        A::Location,
        breakpoints::set_temporary,
    ),
    entry(
        TOPIC,
        "barrier",
        &["dbarrier"],
        "[LOCATION] [thread N] [if EXPRESSION] [after N]",
        "Stops ranks at a place and holds each until all of the set have come there.",
        "A rank that is held ignores `go` and steps; the others go on. With the last one that is alive all are free \
         again, and stand at the same place. `unhold` or deleting the barrier frees them before.",
        A::Location,
        breakpoints::barrier,
    ),
    entry(
        TOPIC,
        "watch",
        &["dwatch"],
        "EXPRESSION [thread N] [if EXPRESSION] [after N]",
        "Stops ranks when a value changes, and shows what it was and is.",
        "`watch -location EXPRESSION` (`-l`) watches what the expression is now, whatever becomes of its names. In hardware where the value depends on at most four aligned words of memory: the ranks run at full speed. \
         Otherwise every instruction is stepped, which the answer says. A watchpoint on variables of a function ends when \
         the function returns.",
        A::Expression,
        breakpoints::watch,
    ),
    entry(
        TOPIC,
        "rwatch",
        &[],
        "EXPRESSION [thread N] [if EXPRESSION] [after N]",
        "Stops ranks when a value is read.",
        "Needs the hardware, as for `watch`: at most four aligned words of memory.",
        A::Expression,
        breakpoints::watch_reads,
    ),
    entry(
        TOPIC,
        "awatch",
        &[],
        "EXPRESSION [thread N] [if EXPRESSION] [after N]",
        "Stops ranks when a value is read or written.",
        "Needs the hardware, as for `watch`: at most four aligned words of memory.",
        A::Expression,
        breakpoints::watch_all,
    ),
    entry(
        TOPIC,
        "catch",
        &[],
        "throw|catch|exec|fork|vfork|signal [NAME]|load [PATTERN] [thread N] [if EXPRESSION] [after N]",
        "Stops ranks when they throw, fork, execute, get a signal or load a library, wherever that is.",
        "`throw`, `catch`: a C++ exception. `exec`: the rank has become another program. `fork`, `vfork`: it has \
         created a \
         process. `signal`: a thread is about to get a signal, any or one, whatever `handle` says. `load`: a library was \
         loaded whose file name fits the pattern with `*` and `?`.",
        A::Words(&["throw", "catch", "exec", "fork", "vfork", "signal", "load"]),
        breakpoints::catch,
    ),
    entry(
        TOPIC,
        "trace",
        &[],
        "[LOCATION], EXPRESSION, … [thread N] [if EXPRESSION] [after N]",
        "Shows values each time ranks come to a place, and lets them go on.",
        "The values are looked up beside the process; only the thread that came by is held up. `trace ring.c:12, n, \
         c.t if n > 3`.",
        A::Location,
        breakpoints::trace,
    ),
    entry(
        TOPIC,
        "breakpoints",
        &["info break", "info breakpoints", "info watchpoints", "dactions"],
        "",
        "Lists breakpoints, watchpoints, catchpoints and tracepoints with their numbers, places and hits.",
        "",
        A::Nothing,
        breakpoints::list,
    ),
    entry(
        TOPIC,
        "delete",
        &["d", "ddelete"],
        "[ID…]",
        "Deletes breakpoints; without a number, all.",
        "A range of numbers is named as `2-5`. With a set in front, they are deleted on those ranks only.",
        A::Breakpoints,
        breakpoints::delete,
    ),
    entry(
        TOPIC,
        "clear",
        &["cl"],
        "[LOCATION]",
        "Deletes the breakpoints at a place; without one, those at the line of the shown frame.",
        "A LOCATION is the same as for `break`. With a set in front, they are deleted on those ranks only.",
        A::Location,
        breakpoints::clear,
    ),
    entry(
        TOPIC,
        "enable",
        &["denable"],
        "[ID…]",
        "Lets breakpoints act again; without a number, all.",
        "A range of numbers is named as `2-5`.",
        A::Breakpoints,
        breakpoints::enable,
    ),
    entry(
        TOPIC,
        "disable",
        &["dis", "ddisable"],
        "[ID…]",
        "Keeps breakpoints from acting until they are enabled; without a number, all.",
        "A range of numbers is named as `2-5`.",
        A::Breakpoints,
        breakpoints::disable,
    ),
    entry(
        TOPIC,
        "condition",
        &[],
        "ID [EXPRESSION]",
        "Makes a breakpoint stop only when the expression is true; without one, always.",
        "The expression is evaluated beside the process at each arrival: `condition 1 i > 3`.",
        A::Breakpoints,
        breakpoints::condition,
    ),
    entry(
        TOPIC,
        "after",
        &["ignore"],
        "ID N",
        "Makes ranks pass over the next N arrivals at a breakpoint.",
        "Each rank counts by itself.",
        A::Breakpoints,
        breakpoints::after,
    ),
];
