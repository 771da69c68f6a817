//! Commands about the program's data.

use super::{ArgumentKind as A, Entry, Repeat, entry, with_format};
use crate::command::parse::{arrays, data, examine, print_value, settings, snapshots};

pub(super) const ENTRIES: &[Entry] = &[
    with_format(entry(
        "print",
        &["p", "inspect", "call", "dprint"],
        "[/FORMAT] [-OPTION [on|off|N]…] [--] [EXPRESSION]",
        "Shows a value, once for all ranks that share it.",
        "Values are formatted as gdb prints them. FORMAT is a letter: x hexadecimal, z the same with leading zeros, \
            d decimal, u unsigned, o octal, t binary, c character, a address, f float, s string; r, alone or with \
            another letter, shows the raw members of containers (like `-raw-values`). The options are named like the \
            settings `print-…` and apply to this value alone: `print -pretty -elements 5 -- x`; `show print` lists \
            them. N may be `unlimited`; `-union off` turns one off. An assignment is an expression, too. Without an expression, shows the last value again. If more than \
            1,000 values differ (`set print values N|unlimited`), the servers sum them up: the least and the greatest \
            with their ranks, mean, deviation and a histogram of numbers, of others those of the lowest ranks; about \
            how many are distinct is an estimate, within a tenth.",
        A::Expression,
        print_value::print,
    )).repeating(Repeat::Same),
    with_format(entry(
        "display",
        &[],
        "[/FORMAT] [[-here] EXPRESSION]",
        "Displays an expression at every stop: the screen above the variables, a script after the stop.",
        "FORMAT is as for `print`; with a size, or with i or s, as for `x`: `display/i $pc` is shown by the command \
            `display`, not by the screen. Without an expression, shows the values of all displayed expressions. Each begins \
            with its number, which `undisplay` takes. The view of ranks shows the values of displayed expressions on the rank \
            under the cursor and on all stopped ranks. `[3.2] display -here x` keeps rank 3 and its thread 2: the value \
            stays on the screen and up to date, whatever rank is shown.",
        A::Expression,
        examine::display,
    )),
    entry(
        "displays",
        &["info display"],
        "",
        "Lists the displayed expressions with their numbers and whether they are enabled.",
        "`disable display NUMBER` keeps one from being shown, `enable display NUMBER` shows it again.",
        A::Nothing,
        data::list_displays,
    ),
    entry(
        "undisplay",
        &["delete display"],
        "[NUMBER…]",
        "Removes displayed expressions; without a number, all.",
        "`2-5` is a range of numbers.",
        A::Number,
        data::undisplay,
    ),
    entry(
        "compare",
        &[],
        "EXPRESSION",
        "Compares a value across ranks: minimum, maximum, mean, deviation, distinct values with their ranks.",
        "The ranks whose value is not that of the majority come first. NaN and infinite values are counted and \
            listed, but excluded from the statistics. The deviation is that of \
            the population. The histogram divides the range from minimum to maximum into equal bins, each labelled \
            with its lowest value; there is none for addresses, or for one or two distinct values.",
        A::Expression,
        data::compare,
    ).repeating(Repeat::Same),
    entry(
        "snapshot",
        &[],
        "[NAME | list | delete NAME… | delete all]",
        "Keeps the values of the variables at this stop, to be compared with later ones.",
        "The values are those of the arguments, the local variables and the displayed expressions of the stopped ranks in the \
            focus, in their selected frames; of variables of the same name, the innermost. Without a NAME, the snapshot \
            gets the next number; one of the same NAME is replaced. `compare snapshot` says what has changed since. Equal \
            values of ranks are kept once; of a variable with more than 1,000 different values, the servers send a summary: \
            least, greatest, mean. A snapshot has at most 64 places and 256 variables; there are at most 16, with 64 MiB \
            together. The front end keeps them: they survive `restart`, and are lost when it ends, or leaves the session. \
            `S` in the view of variables takes one, too, and `v` there compares with it.",
        A::Snapshot(&["delete", "list"]),
        snapshots::snapshot,
    ),
    entry(
        "compare-snapshot",
        &["compare snapshot"],
        "[NAME | none]",
        "Compares the variables with their values in a snapshot: each change once, with the ranks that share it.",
        "Without a NAME, the newest snapshot is meant. On the screen, the view of variables then marks what differs from the \
            snapshot instead of from the last stop, and shows the value there; `compare snapshot none`, or `v` in the view, \
            ends that. In batch, and after a set (`[.] compare snapshot`), the changes of all the ranks are printed. \
            Ranks that are now in another function than in the snapshot are told, and only their displayed \
            expressions are compared: `up` and `frame` select the function. A variable of the program that is called \
            `snapshot` is compared across ranks by `compare (snapshot)`.",
        A::Snapshot(&["none"]),
        snapshots::compare,
    ).repeating(Repeat::Same),
    entry(
        "stats",
        &[],
        "EXPRESSION",
        "Measures the numbers of an array of any size: minimum, maximum, mean, deviation, histogram.",
        "EXPRESSION is an array, a pointer with a length (`p[0]@100`), a `std::vector` or the like, a matrix of Eigen, or a \
            Fortran array or section: `stats u(:, 1:10)`. A member of an array of structs is that of all of them: \
            `stats particles.mass`, `stats (p[0]@100).pos[2]`; `p[0].mass@100` is what follows `p[0].mass` in memory, and refused if \
            it leaves `p[0]`. The servers read it in blocks, in the native engine; `halt` interrupts \
            them. Minimum and maximum come with the indices of the first element that has them. NaN and infinite \
            numbers are counted, but excluded from the statistics; the deviation is that of the population; the \
            histogram divides the range into ten equal parts, each labelled with its lowest value, and is shown for \
            up to four distinct results. If more differ, the arrays of all ranks together follow: the least and the \
            greatest number with rank and indices, the ranks that have NaN. More than `print values` distinct results \
            are only shown together; the servers join them. For long scans, raise `patience`.",
        A::Expression,
        arrays::stats,
    ).repeating(Repeat::Same),
    entry(
        "scan",
        &[],
        "EXPRESSION nan | inf | denormal | < V | > V | == V | != V",
        "Finds the numbers of an array that meet a condition: how many, and the indices of the first ten.",
        "EXPRESSION is as for `stats`. V is an expression, too, which each rank evaluates for itself: `scan u > umax`. \
            `<=` and `>=` are understood as well. An expression with a comparison of its own is put in parentheses. \
            NaN only meets `nan` and `!=`. If more than four results differ, all ranks together follow: which of them \
            have such numbers, and which most; more than `print values` are only shown together.",
        A::Expression,
        arrays::scan,
    ).repeating(Repeat::Same),
    entry(
        "array",
        &[],
        "EXPRESSION",
        "Shows an array of numbers of any size and any number of dimensions: on the screen in a view of its own.",
        "EXPRESSION is as for `stats`. On the screen, the view has a grid of elements, which scrolls in both directions, \
            and a picture of all of them; the elements are read when they are shown. `A` opens it, too, for the value under \
            the cursor of the variables. In batch, and after a set (`[0-3] array u`), the element type, the dimensions and \
            the first 20 rows and 10 columns are printed; of an array of one dimension, 200 elements. Of an array with more \
            dimensions, the first section is shown: `array u[7]` shows another one. A flat vector is shown in rows and \
            columns by a cast: `array *(double(*)[18][48])v.data()`, or `p` for `v.data()` if it is a pointer.",
        A::Expression,
        arrays::array,
    ).repeating(Repeat::Same),
    entry(
        "locals",
        &["info locals"],
        "[-q] [-t TYPE] [REGEX]",
        "Shows the local variables of the frame.",
        "Variables of inner blocks come first. REGEX is found in the names, TYPE, another one, in the names of the types; \
            `-q` says nothing if there are none. `where full` shows the variables of all frames.",
        A::Free,
        data::locals,
    ).repeating(Repeat::Same),
    entry(
        "args",
        &["info args"],
        "[-q] [-t TYPE] [REGEX]",
        "Shows the arguments of the frame's function.",
        "The options are those of `locals`.",
        A::Free,
        data::arguments,
    ).repeating(Repeat::Same),
    entry(
        "globals",
        &[],
        "[PATTERN]",
        "Shows the global variables whose names match a pattern with `*` and `?`.",
        "Without a pattern, shows those of the program itself. A pattern such as `t*` also matches those of its libraries.",
        A::Free,
        data::globals,
    ).repeating(Repeat::Same),
    entry(
        "thread-locals",
        &["info tls"],
        "[PATTERN]",
        "Shows the thread-local variables whose names match a pattern, as the selected thread has them.",
        "As `globals`, but `*` means those of all files. `thread apply all thread-locals` shows those of each thread.",
        A::Free,
        data::thread_locals,
    ).repeating(Repeat::Same),
    with_format(entry(
        "whatis",
        &["dwhat"],
        "[/r] EXPRESSION",
        "Shows the type of an expression.",
        "Does not evaluate the expression. `ptype` shows the members. `/r` writes names of the C++ library in full.",
        A::Expression,
        data::whatis,
    )).repeating(Repeat::Same),
    with_format(entry(
        "ptype",
        &[],
        "[/o] [/ox] [/mtr] TYPE",
        "Shows a type with its members.",
        "TYPE may also be an expression: shows its type. `/o` adds the offset and the size of each member, in bytes \
            (and bits), and the holes between them; `/ox` in hexadecimal. Of a class, `/m` leaves out the methods, `/t` \
            the typedefs; `/r` writes types in full, not by the short names valid in the class.",
        A::Expression,
        data::ptype,
    )).repeating(Repeat::Same),
    entry(
        "set",
        &["dassign", "dset"],
        "EXPRESSION = EXPRESSION | SETTING VALUE",
        "Changes a variable of the program, or a setting of the debugger.",
        "`set var x = 3` always means a variable of the program. \"show\" lists the settings.",
        A::Setting,
        settings::set,
    ),
    entry(
        "memory",
        &[],
        "ADDRESS",
        "Shows memory: on the screen in a view of its own, which follows the address.",
        "ADDRESS is an expression, as for `x`: `memory buffer`, `memory &count`, `memory $sp`; it is evaluated again at each \
            stop. On the screen, the view has the bytes and their characters, or numbers of a type (`]` and `[`), and scrolls \
            before and behind the address. It marks the bytes that changed since the last stop, and those that other ranks of \
            the focus have different. `M` opens it, too, for the value under the cursor of the variables. In batch, and after \
            a set (`[0-3] memory u`), the first 128 bytes are printed, as `x/128xb` does.",
        A::Expression,
        examine::memory,
    ).repeating(Repeat::Same),
    with_format(entry(
        "x",
        &["dexamine"],
        "[/NFU] [ADDRESS]",
        "Shows memory: N units of U bytes in format F.",
        "N is a number, F a letter as for print, U one of b (1 byte), h (2), w (4), g (8). Format i shows \
            instructions, s strings (of wide characters if U is h or w) of at most `print-elements` characters. \
            ADDRESS is an expression; without one, continues after the last memory shown. -N shows the N units or \
            instructions before ADDRESS. F and U default to their last values, N to 1; `x` alone repeats the last \
            count.",
        A::Expression,
        examine::examine,
    )).repeating(Repeat::GoesOn),
    entry(
        "symbol",
        &["info symbol"],
        "ADDRESS",
        "Names the function or variable at an address, the offset and the file.",
        "ADDRESS is an expression: `symbol $pc`, `symbol 0x401136`.",
        A::Expression,
        data::symbol_at,
    ).repeating(Repeat::Same),
    entry(
        "code",
        &["info line"],
        "[LOCATION]",
        "Shows the addresses where the code of a line starts and ends.",
        "LOCATION is as for `break`; the default is the line of the frame. Sets `$_` to the start address, where \
            `x/i` continues.",
        A::Location,
        data::code_of,
    ).repeating(Repeat::Same),
    with_format(entry(
        "disassemble",
        &[],
        "[/FORMAT] [LOCATION | START,END | START,+LENGTH]",
        "Shows the instructions of a function with their source lines, and marks the current one.",
        "Disassembles the function that contains LOCATION, or the frame's, or a range of addresses, and names the lines; \
            `/s` shows their text, `/r` the bytes. `set disassembly-flavor intel` changes the syntax.",
        A::Location,
        data::disassemble,
    )).repeating(Repeat::Same),
    entry(
        "write",
        &[],
        "ADDRESS BYTES",
        "Writes bytes to the memory of the ranks.",
        "`write &x 0aff`: BYTES are pairs of hexadecimal digits, in address order.",
        A::Expression,
        data::write,
    ),
    entry(
        "registers",
        &["info registers"],
        "[NAME | GROUP…]",
        "Shows the registers of the frame, raw and interpreted.",
        "Without a name, shows the general registers; with names, any register: `registers rip xmm0`. GROUP is general, \
            float, vector, sse, system or all; `info all-registers`, `info float` and `info vector` are these groups.",
        A::Free,
        data::registers,
    ).repeating(Repeat::Same),
    entry(
        "all-registers",
        &["info all-registers"],
        "[NAME | GROUP…]",
        "Shows all registers of the frame, as `registers all`.",
        "",
        A::Free,
        data::all_registers,
    ).repeating(Repeat::Same),
    entry(
        "float-registers",
        &["info float"],
        "",
        "Shows the registers of the x87 unit, as `registers float`.",
        "",
        A::Nothing,
        data::float_registers,
    ).repeating(Repeat::Same),
    entry(
        "vector-registers",
        &["info vector"],
        "",
        "Shows the vector registers, as `registers vector`.",
        "",
        A::Nothing,
        data::vector_registers,
    ).repeating(Repeat::Same),
    entry(
        "libraries",
        &["info sharedlibrary", "info files", "info target", "info dll"],
        "[REGEX]",
        "Lists the loaded files with load address, and whether debug information was found.",
        "With a regular expression, those whose paths it is found in: `info sharedlibrary libmpi`.",
        A::Free,
        data::libraries,
    ).repeating(Repeat::Same),
    entry(
        "limits",
        &["info limits"],
        "",
        "Shows the limits on the resources of the ranks: stack, memory, core files, open files (getrlimit(2)).",
        "`at most` is the hard limit, where that is another. A running rank shows them, too. Batch systems, launchers \
            and the program itself change them. In JSON, a limit without a number is unlimited.",
        A::Nothing,
        data::limits,
    ).repeating(Repeat::Same),
    entry(
        "gcore",
        &["generate-core-file"],
        "[DIR|FILE]",
        "Writes a core file of each stopped rank, with all its threads, for gdb and lldb: DIR/core.RANK or FILE.RANK.",
        "Both are on the ranks' hosts; a relative path, or none, counts from the directory in which this \
            rankscope was started. A file that exists is not replaced. The files are sparse and have mode 0600: they \
            contain the program's memory, as far as its `/proc/PID/coredump_filter` says (core(5)). Breakpoints are \
            not in them. The ranks stay as they are; `halt` ends the writing and removes what is incomplete.",
        A::File,
        data::gcore,
    ),
    entry(
        "engine",
        &[],
        "[use native|gdb | COMMAND]",
        "Shows the engine of the ranks, switches engines, or passes a command to the engine.",
        "\"engine use gdb\" hands stopped ranks over to gdb with their breakpoints and signals, \"engine use \
            native\" hands them back. Any other text is a gdb console command, for ranks under gdb.",
        A::Nothing,
        data::engine,
    ),
];
