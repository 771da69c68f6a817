//! Commands about stacks and threads.

use super::{ArgumentKind as A, Entry, Topic, entry};
use crate::controller::command::parse::{data, stack};

const TOPIC: Topic = Topic::Stack;

pub(super) const ENTRIES: &[Entry] = &[
    entry(
        TOPIC,
        "where",
        &["bt", "backtrace", "dwhere", "info stack"],
        "[-merge] [-limit N]",
        "Shows stacks, once for all ranks that share one.",
        "`-merge` shows one tree for the whole set, with the ranks on each branch. `-limit N`, or `N` alone, shows the \
         innermost N frames.",
        A::Words(&["-merge", "-limit"]),
        stack::where_,
    ),
    entry(
        TOPIC,
        "frame",
        &["f", "info frame"],
        "[N]",
        "Chooses the frame in which names are looked up; 0 is the innermost.",
        "It is 0 again when the shown rank runs.",
        A::Number,
        stack::frame,
    ),
    entry(TOPIC, "up", &["dup"], "[N]", "Goes outward, to the caller.", "", A::Number, stack::up),
    entry(TOPIC, "down", &["ddown"], "[N]", "Goes inward, to the called.", "", A::Number, stack::down),
    entry(TOPIC, "threads", &["info threads"], "", "Lists threads and where they are.", "", A::Nothing, stack::threads),
    entry(
        TOPIC,
        "thread",
        &["t"],
        "[N]",
        "Chooses the thread that inspections and steps are of.",
        "Until the shown rank runs: at the next stop it is the thread that stopped. `focus SET.THREAD` names one for good.",
        A::Number,
        stack::thread,
    ),
    entry(
        TOPIC,
        "list",
        &["l", "dlist"],
        "[LOCATION | FIRST,LAST]",
        "Shows lines of the source.",
        "Without a place, those around the shown frame, and then on from there.",
        A::Location,
        data::list,
    ),
];
