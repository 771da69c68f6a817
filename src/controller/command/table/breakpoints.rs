//! Commands that say where to stop.

use super::{ArgumentKind as A, Entry, Topic, entry};
use crate::controller::command::parse::breakpoints;

const TOPIC: Topic = Topic::Breakpoints;

pub(super) const ENTRIES: &[Entry] = &[
    entry(
        TOPIC,
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
        TOPIC,
        "tbreak",
        &["tb"],
        "[LOCATION] [if EXPRESSION] [after N]",
        "Sets a breakpoint that goes away with its first stop.",
        "On each rank by itself.",
        A::Location,
        breakpoints::set_temporary,
    ),
    entry(
        TOPIC,
        "watch",
        &["dwatch"],
        "EXPRESSION [if EXPRESSION] [after N]",
        "Stops ranks when a value changes, and shows what it was and is.",
        "In hardware where the value depends on at most four aligned words of memory: the ranks run at full speed. \
         Otherwise every instruction is stepped, which the answer says. A watchpoint on variables of a function ends when \
         the function returns.",
        A::Expression,
        breakpoints::watch,
    ),
    entry(
        TOPIC,
        "rwatch",
        &[],
        "EXPRESSION [if EXPRESSION] [after N]",
        "Stops ranks when a value is read.",
        "Only in hardware.",
        A::Expression,
        breakpoints::watch_reads,
    ),
    entry(
        TOPIC,
        "awatch",
        &[],
        "EXPRESSION [if EXPRESSION] [after N]",
        "Stops ranks when a value is read or written.",
        "Only in hardware.",
        A::Expression,
        breakpoints::watch_all,
    ),
    entry(
        TOPIC,
        "breakpoints",
        &["info break", "info breakpoints", "dactions"],
        "",
        "Lists the breakpoints with what they became.",
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
        "With a set in front, only for those ranks.",
        A::Breakpoints,
        breakpoints::delete,
    ),
    entry(
        TOPIC,
        "enable",
        &["denable"],
        "[ID…]",
        "Lets breakpoints act again; without a number, all.",
        "",
        A::Breakpoints,
        breakpoints::enable,
    ),
    entry(
        TOPIC,
        "disable",
        &["ddisable"],
        "[ID…]",
        "Keeps breakpoints from acting; without a number, all.",
        "",
        A::Breakpoints,
        breakpoints::disable,
    ),
    entry(
        TOPIC,
        "condition",
        &[],
        "ID [EXPRESSION]",
        "Makes a breakpoint stop only when the expression is true; without one, always.",
        "",
        A::Breakpoints,
        breakpoints::condition,
    ),
    entry(
        TOPIC,
        "after",
        &["ignore"],
        "ID N",
        "Passes over the next N arrivals at a breakpoint, on each rank.",
        "",
        A::Breakpoints,
        breakpoints::after,
    ),
];
