//! Commands about stacks and threads.

use super::{ArgumentKind as A, Entry, Topic, entry};
use crate::command::parse::{data, stack};

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
        &["f"],
        "[N | function NAME | apply all|N|-N COMMAND]",
        "Chooses the frame in which names are looked up; 0 is the innermost. Without a number, shows it.",
        "Each rank has a frame of its own, until it runs; `where` lists the frames. `function` chooses the innermost \
         frame of a function, at whatever depth it is in the stack of each rank; ranks that are not in the function \
         keep their frames. `apply` runs a command for all frames, the N innermost or the N outermost.",
        A::Number,
        stack::frame,
    ),
    entry(
        TOPIC,
        "about-frame",
        &["info frame"],
        "",
        "Says of the frame where it is on the stack, who called it, its language, and which registers it has saved where.",
        "As gdb's `info frame`.",
        A::Nothing,
        stack::about_frame,
    ),
    entry(
        TOPIC,
        "about-source",
        &["info source"],
        "",
        "Says of what source file the code of the frame is, and how that was compiled.",
        "As gdb's `info source`.",
        A::Nothing,
        stack::about_source,
    ),
    entry(
        TOPIC,
        "scope",
        &["info scope"],
        "LOCATION",
        "Lists the arguments and local variables that there are at a place, and where they are kept.",
        "LOCATION is as for `break`. Of variables that are in several places in turn no more is said than that.",
        A::Location,
        stack::scope,
    ),
    entry(
        TOPIC,
        "up",
        &["dup"],
        "[N]",
        "Chooses the frame of the caller, or the N-th one outward.",
        "Each rank moves in its own stack, at most to its outermost frame.",
        A::Number,
        stack::up,
    ),
    entry(
        TOPIC,
        "down",
        &["ddown"],
        "[N]",
        "Chooses the frame that this one called, or the N-th one inward.",
        "Each rank moves in its own stack.",
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
        "[N | apply all|N… [-ascending] COMMAND]",
        "Chooses the thread that inspections and steps are of. Without a number, lists them.",
        "Until the shown rank runs: at the next stop it is the thread that stopped. `focus SET.THREAD` names one \
         for good. `thread apply all where` shows the stacks of all threads, the last first, `thread apply 1 3-5 \
         locals` variables of some.",
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
         back from there; `FIRST,` and `,LAST` are lines from one, which may be a LOCATION, and up to one.",
        A::Location,
        data::list,
    ),
];
