//! Commands about sets of ranks.

use super::{ArgumentKind as A, Entry, Topic, entry};
use crate::command::parse::session;

const TOPIC: Topic = Topic::Sets;

pub(super) const ENTRIES: &[Entry] = &[
    entry(
        TOPIC,
        "focus",
        &["dfocus"],
        "[SET[.THREAD]]",
        "Chooses the ranks that commands mean when no set stands in front, or shows them.",
        "The set is worked out once: `focus stopped` means those that are stopped now. With a thread, `focus \
         0-3.2`, inspections and steps are of that thread, which must be there; without one, of the thread that \
          stopped.",
        A::Set,
        session::focus,
    ),
    entry(
        TOPIC,
        "group",
        &["defset"],
        "NAME = SET",
        "Gives a set a name.",
        "The set is worked out once; the name may then stand wherever a set may: `group left = 0-3`, `[left] step`.",
        A::Set,
        session::group,
    ),
    entry(TOPIC, "groups", &["dgroups", "viewset"], "", "Lists the named sets.", "", A::Nothing, session::groups),
    entry(TOPIC, "ungroup", &["undefset"], "NAME", "Forgets the name of a set.", "", A::Group, session::ungroup),
    entry(
        TOPIC,
        "status",
        &["dstatus", "st"],
        "",
        "Shows ranks grouped by state, stop reason and place.",
        "Without a set in front, of the whole job.",
        A::Nothing,
        session::status,
    ),
];
