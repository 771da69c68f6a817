//! Commands about stacks and threads.

use super::{ArgumentKind as A, Entry, Repeat, entry};
use crate::command::parse::{data, stack};

pub(super) const ENTRIES: &[Entry] = &[
    entry(
        "where",
        &["bt", "backtrace", "dwhere", "info stack"],
        "[full] [-merge | -threads] [-all] [-limit N | N | -N]",
        "Shows stacks, once for all ranks that share one.",
        "`-merge` shows one tree for the whole set, with the ranks on each branch; more than 256 different stacks are \
         shown so, too, up to 1,024 calls (in JSON, `cut` says that calls further inside are left out). `-threads` shows one \
         tree of all threads of the set: `[0-3.{2-4}]` before a call are threads 2 to 4 of ranks 0 to 3. `N`, or \
         `-limit N`, shows the innermost N frames, `-N` the outermost. `full` adds arguments and local variables. Two or \
         more frames of libraries are one line, except with `-all`, `full`, or a number; in JSON, all frames are shown.",
        A::Words(&["full", "-merge", "-threads", "-all", "-limit"]),
        stack::where_,
    ).repeating(Repeat::Same),
    entry(
        "sample",
        &[],
        "[SECONDS] [-threads] [-all]",
        "Looks at running ranks again and again, and shows how often each call was seen.",
        "Ten times a second for 2 seconds, or SECONDS, each rank stops for as long as reading its stack takes, and then goes on, \
         also with a step. No stop is reported. When looks take longer, there are fewer: the ranks run for at least three \
         quarters of the time. The result is one tree, as of `where -merge`, in which each call has the share of the looks \
         that saw it; the most frequent is first. Before it are the ranks that moved to another line or call of your code \
         between looks, and those that were at the same line each time: they wait or compute there. `-threads` looks at \
         all threads, `-all` shows every frame of libraries. On the screen, the stack view shows the tree while it grows, \
         until one of the ranks stops. `halt` ends it early. The gdb engine can only look at stopped ranks.",
        A::Words(&["-threads", "-all"]),
        stack::sample,
    ).repeating(Repeat::Same),
    entry(
        "frame",
        &["f"],
        "[N | level N | function NAME | address ADDRESS | apply all|N|-N|level N… [-q] [-c|-s] COMMAND]",
        "Chooses the frame in which names are looked up; 0 is the innermost. Without a number, shows it.",
        "Each rank has its own frame until it runs; `where` lists the frames. At first it is the innermost one, or that \
            of your code if the rank was halted, attached to, received a signal or stopped at `catch throw` and its \
            like in a library, and in threads other than the one that stopped; `frame 0` chooses the innermost. `function` chooses the innermost frame of a function on each rank's stack; ranks without one \
            keep their frames. `address` chooses the frame whose address `info frame` shows. `apply` runs a command for all frames, the N innermost, the N outermost, or those at some levels, such as \
            `level 1 3-5`; flags are those of `thread apply`. `set print frame-arguments` says how arguments are shown.",
        A::Number,
        stack::frame,
    ).repeating(Repeat::Same),
    entry(
        "about-frame",
        &["info frame"],
        "",
        "Describes the frame: address, caller, language, saved registers.",
        "As gdb's `info frame`.",
        A::Nothing,
        stack::about_frame,
    ).repeating(Repeat::Same),
    entry(
        "about-source",
        &["info source"],
        "",
        "Describes the source file of the frame and how it was compiled.",
        "As gdb's `info source`.",
        A::Nothing,
        stack::about_source,
    ).repeating(Repeat::Same),
    entry(
        "scope",
        &["info scope"],
        "LOCATION",
        "Lists the arguments and local variables at a location, and where they are stored.",
        "LOCATION is as for `break`. For variables with several storage locations it says only that.",
        A::Location,
        stack::scope,
    ).repeating(Repeat::Same),
    entry(
        "up",
        &["dup"],
        "[N]",
        "Chooses the caller's frame, or the N-th one outward.",
        "Each rank moves on its own stack, at most to its outermost frame.",
        A::Number,
        stack::up,
    ).repeating(Repeat::Same),
    entry(
        "down",
        &["ddown"],
        "[N]",
        "Chooses the called frame, or the N-th one inward.",
        "Each rank moves on its own stack.",
        A::Number,
        stack::down,
    ).repeating(Repeat::Same),
    entry(
        "up-silently",
        &[],
        "[N]",
        "As `up`, without showing the frame.",
        "For scripts.",
        A::Number,
        stack::up_silently,
    ).repeating(Repeat::Same),
    entry(
        "down-silently",
        &[],
        "[N]",
        "As `down`, without showing the frame.",
        "For scripts.",
        A::Number,
        stack::down_silently,
    ).repeating(Repeat::Same),
    entry(
        "select-frame",
        &[],
        "[N | level N | function NAME | address ADDRESS]",
        "As `frame`, without showing the frame.",
        "For scripts.",
        A::Number,
        stack::select_frame,
    ),
    entry(
        "threads",
        &["info threads"],
        "",
        "Lists the threads of each rank with their locations.",
        "`*` marks the current thread.",
        A::Nothing,
        stack::threads,
    ).repeating(Repeat::Same),
    entry(
        "thread",
        &["t"],
        "[N | apply all|N… [-ascending] [-q] [-c|-s] COMMAND | name [NAME] | find REGEX]",
        "Chooses the thread to inspect and step. Without a number, shows it.",
        "The choice lasts until the shown rank runs: at the next stop it is the thread that stopped. `focus \
            SET.THREAD` keeps one. `thread apply all where` shows the stacks of all threads, the last first; \
            `thread apply 1 3-5 locals` shows variables of some; so does `[0-3.{1,3-5}] locals`, with equal ones once. -q \
            leaves out the headings, -s errors and the headings of threads without an output; an error keeps no other \
            thread from its turn (-c). `thread name` names the chosen thread of each rank in lists, until the job starts \
            again; without NAME it has its own name again. `thread find` shows the threads whose names match.",
        A::Words(&["apply", "name", "find"]),
        stack::thread,
    ).repeating(Repeat::Same),
    entry(
        "taas",
        &[],
        "[-ascending] [-q] COMMAND",
        "Runs a command for all threads, without errors and empty outputs.",
        "`thread apply all -s COMMAND`.",
        A::Command,
        stack::silently_for_threads,
    ),
    entry(
        "faas",
        &[],
        "[-q] COMMAND",
        "Runs a command for all frames, without errors and empty outputs.",
        "`frame apply all -s COMMAND`: `faas print x` shows a variable wherever a frame has one.",
        A::Command,
        stack::silently_for_frames,
    ),
    entry(
        "tfaas",
        &[],
        "COMMAND",
        "Runs a command for all frames of all threads, without errors and empty outputs.",
        "`thread apply all -s frame apply all -s COMMAND`.",
        A::Command,
        stack::silently_for_all,
    ),
    entry(
        "why",
        &[],
        "[SET]",
        "Says for whom ranks wait in MPI, and which ranks to look at.",
        "Looks at the stacks of all stopped ranks, and evaluates the arguments of their calls of MPI as the source text \
         has them: ranks, tags, roots, communicators. It runs nothing in the program. It knows the members of \
         `MPI_COMM_WORLD`, those of other communicators only where `queues` works, and no peers of requests (`MPI_Wait`). Of ranks that wait elsewhere, it says for which thread (locks, OpenMP), process or file. Halt the job first: running ranks are only named. A second \
         `why`, after the ranks have run, tells slow from stuck.",
        A::Set,
        stack::why,
    ).repeating(Repeat::Same),
    entry(
        "queues",
        &[],
        "[SET]",
        "Shows the MPI's message queues: posted receives, unexpected messages and pending sends of each communicator.",
        "The MPI's own message-queue library reads them (for Open MPI, `libompi_dbg_msgq.so`). It is loaded in a \
         process of its own, not into the program, and needs the debug symbols of the MPI. The program names it; it is \
         only loaded from the directory of the MPI, unless `set queue-library` names another. Ranks of the other end \
         are those of the communicator. Native engine only.",
        A::Set,
        stack::queues,
    ).repeating(Repeat::Same),
    entry(
        "list",
        &["l", "dlist"],
        "[LOCATION | FIRST,LAST | -]",
        "Shows source lines.",
        "LOCATION is as for `break`. Without one, shows lines around the shown frame, then the following ones; `-` \
            shows the preceding ones; `FIRST,` shows lines from FIRST, `,LAST` lines up to LAST; both may be a \
            LOCATION. `FIRST,+N` shows FIRST and N more lines.",
        A::Location,
        data::list,
    ).repeating(Repeat::GoesOn),
    entry(
        "forward-search",
        &["fo", "search"],
        "[REGEX]",
        "Shows the next line of the listed file that matches a regular expression.",
        "Searches from the last line listed, or from the line of the shown frame; REGEX is as for `functions`, and the \
            last one if none is given. Sets `$_` to the number of the line; `list` shows the lines around it.",
        A::Free,
        data::forward_search,
    ).repeating(Repeat::Same),
    entry(
        "reverse-search",
        &["rev"],
        "[REGEX]",
        "Shows the previous line of the listed file that matches a regular expression.",
        "As `forward-search`, before the last line listed.",
        A::Free,
        data::reverse_search,
    ).repeating(Repeat::Same),
    entry(
        "edit",
        &["e"],
        "[LOCATION]",
        "Opens a source file in your editor, at a location or at the line of the shown frame.",
        "LOCATION is as for `break`. The full screen makes way for the editor, `VISUAL` or `EDITOR`, and comes back when it \
            ends; then it says whether the file has changed. The file has to be on this host, where the rank has found \
            it on its own.",
        A::Location,
        data::edit,
    ),
];
