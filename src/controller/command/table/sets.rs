//! Commands about sets of ranks.

use super::{ArgumentKind as A, Entry, Repeat, entry};
use crate::command::parse::{rank_colours, rank_layout, session};

pub(super) const ENTRIES: &[Entry] = &[
    entry(
        "focus",
        &["dfocus"],
        "[SET[.THREADS]]",
        "Sets or shows the focus: the ranks that commands without a set apply to.",
        "The set is evaluated once: `focus stopped` means the ranks that are stopped now. With a thread, as in \
            `focus 0-3.2`, commands inspect and step that thread, which must exist; without one, the thread that \
            stopped. With several, as in `focus 0-3.{2,5}`, `0-3.{2-5}` or `0-3.*` (all), they answer for each of them, \
            with equal answers once, and step one after another; the screen shows the first. `[0-3.{2,5}] where` does \
            so for one command.",
        A::Set,
        session::focus,
    ),
    entry(
        "group",
        &["defset"],
        "NAME = SET",
        "Names a set.",
        "The set is evaluated once; use the name wherever a set is expected: `group left = 0-3`, `[left] step`.",
        A::Set,
        session::group,
    ),
    entry("groups", &["dgroups", "viewset"], "", "Lists the groups.", "", A::Nothing, session::groups).repeating(Repeat::Same),
    entry("ungroup", &["undefset"], "NAME", "Deletes a group.", "", A::Group, session::ungroup),
    entry(
        "status",
        &["dstatus", "st", "info program", "info inferiors"],
        "",
        "Shows ranks grouped by state, stop reason and location.",
        "Without a set in front, shows the whole job. Ranks that stopped in a library are grouped by the line of your own \
         code and the function it called; `set my-code` says which code is yours.",
        A::Nothing,
        session::status,
    ).repeating(Repeat::Same),
    entry(
        "layout",
        &[],
        "[AxBxC | cart | hosts | none]",
        "Arranges the ranks on the screen as a grid of processes or by their hosts, or shows the places of ranks.",
        "The grid is that of `MPI_Cart_create`: rank 0 is at (0,0,0), and the last dimension is the fastest. The view of \
            ranks shows a plane of the last two dimensions; `[` and `]` go to the plane before and the next one. A cell \
            stands for several ranks if they do not fit; `enter` zooms into it, `+` and `-` zoom in and out. The grid must have as many cells as there are ranks. \
            `layout cart` reads the sizes from the arguments of `MPI_Cart_create` where a rank is stopped in it: `break \
            MPI_Cart_create`, `go`, `layout cart`. If MPI has no debug information, the rank must be at the beginning of \
            the function, where such a breakpoint stops. A grid of a communicator with other ranks, or whose ranks are \
            reordered, is not that of the job's ranks. `layout hosts` shows the ranks of each host in rows of their own, behind \
            the host's name. If they do not fit, a cell stands for several ranks of a host, and if there are more hosts \
            than rows, a cell stands for all ranks of a host or of several. `layout none` shows all ranks in order. \
            Without an argument, shows the layout with the coordinates or the hosts of the ranks: `[7] layout`. `layout src` and the like of gdb have no effect.",
        A::Words(&["cart", "hosts", "none"]),
        rank_layout::layout,
    ),
    entry(
        "colour",
        &["color"],
        "[by EXPRESSION | by none]",
        "Colours the ranks on the screen by the number that an expression has on each: a heat map over the job.",
        "Each cell of the view of ranks shows a digit on a colour: 0 for the least number of the job to 9 for the greatest. \
            `N` is NaN, `I` infinite, `?` a stopped rank without a number, `-` one whose number has not come yet, and `.` one that runs or has ended. A cell that \
            stands for several ranks shows the greatest of their numbers: `colour by -(x)` shows where the least ones are. \
            The line below has the number of the rank under the cursor, and the least and the greatest number with the \
            lowest rank of each. The expression is evaluated again at each stop, on the stopped ranks, in the frames \
            selected with `up`, `frame` and the like. The servers reduce the numbers to the cells of the screen: a million \
            ranks send no more than fits there. The command prints the numbers as a whole: minima and maxima with their \
            ranks, mean, deviation, a histogram. Without an argument, it prints them again. `colour by none` shows the \
            states again.",
        A::ExpressionBehind("by"),
        rank_colours::colour,
    ),
];
