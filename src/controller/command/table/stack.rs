//! Commands about stacks and threads.

use super::{ArgumentKind as A, Entry, Topic, entry};
use crate::controller::command::parse::{data, stack};

const TOPIC: Topic = Topic::Stack;

pub(super) const ENTRIES: &[Entry] = &[
    entry(
        TOPIC,
        "where",
        &["bt", "backtrace", "dwhere", "info stack"],
        "[full] [-merge] [-limit N | N | -N]",
        "Shows stacks, once for all ranks that share one.",
        "`-merge` shows one tree for the whole set, with the ranks on each branch. `N`, or `-limit N`, shows the \
         innermost N frames, `-N` the outermost. `full` adds arguments and local variables.",
        A::Words(&["full", "-merge", "-limit"]),
        stack::where_,
    ),
    entry(
        TOPIC,
        "frame",
        &["f", "info frame"],
        "[N]",
        "Chooses the frame in which names are looked up; 0 is the innermost. Without a number, shows it.",
        "It holds for all ranks of the focus, until the shown rank runs; `where` lists the frames.",
        A::Number,
        stack::frame,
    ),
    entry(
        TOPIC,
        "up",
        &["dup"],
        "[N]",
        "Chooses the frame of the caller, or the N-th one outward.",
        "",
        A::Number,
        stack::up,
    ),
    entry(
        TOPIC,
        "down",
        &["ddown"],
        "[N]",
        "Chooses the frame that this one called, or the N-th one inward.",
        "",
        A::Number,
        stack::down,
    ),
    entry(
        TOPIC,
        "threads",
        &["info threads"],
        "",
        "Lists the threads of each rank, and where they are.",
        "`*` marks the thread that commands mean.",
        A::Nothing,
        stack::threads,
    ),
    entry(
        TOPIC,
        "thread",
        &["t"],
        "[N]",
        "Chooses the thread that inspections and steps are of. Without a number, lists them.",
        "Until the shown rank runs: at the next stop it is the thread that stopped. `focus SET.THREAD` names one \
         for good.",
        A::Number,
        stack::thread,
    ),
    entry(
        TOPIC,
        "list",
        &["l", "dlist"],
        "[LOCATION | FIRST,LAST | -]",
        "Shows lines of the source.",
        "LOCATION is as for `break`. Without one, lines around the shown frame, and then on from there; `-` goes \
         back from there; `FIRST,` and `,LAST` are lines from one and up to one.",
        A::Location,
        data::list,
    ),
];
