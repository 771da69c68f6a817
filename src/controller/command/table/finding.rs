//! Commands that find things by name, content or address.

use super::{ArgumentKind as A, Entry, Repeat, entry, with_format};
use crate::command::parse::finding;

pub(super) const ENTRIES: &[Entry] = &[
    entry(
        "functions",
        &["info functions"],
        "[-q] [-n] [-t TYPE] [-limit N] [REGEX]",
        "Lists the functions whose names match a regular expression, by source file.",
        "Without an expression, lists those of the program; with one, also those of its libraries. REGEX and TYPE are as \
            in gdb: they match anywhere unless `^` or `$` anchors them; `\\|`, `\\+` and `\\(…\\)` need a backslash. \
            In C++, a name has its parameters. -t compares the type, -n leaves out symbols without debug information, \
            -q the headings. At most 200 rows are shown, those of the program first, or N; the last line says how many \
            were left out.",
        A::Free,
        finding::functions,
    ).repeating(Repeat::Same),
    entry(
        "variables",
        &["info variables"],
        "[-q] [-n] [-t TYPE] [-limit N] [REGEX]",
        "Lists the global and static variables whose names match a regular expression, by source file.",
        "As `functions`. `globals` shows the values of variables.",
        A::Free,
        finding::variables,
    ).repeating(Repeat::Same),
    entry(
        "types",
        &["info types"],
        "[-q] [-limit N] [REGEX]",
        "Lists the types whose names match a regular expression, by source file.",
        "As `functions`. `ptype` shows the members of a type.",
        A::Free,
        finding::types,
    ).repeating(Repeat::Same),
    entry(
        "about-sources",
        &["info sources"],
        "[-dirname | -basename] [-limit N] [REGEX]",
        "Lists the source files of the program whose paths match a regular expression.",
        "Without an expression, lists those of the program; with one, also those of its libraries. -dirname and -basename \
            compare only that part of the path.",
        A::Free,
        finding::sources,
    ).repeating(Repeat::Same),
    with_format(entry(
        "find",
        &[],
        "[/SIZE] [/COUNT] START, END | +LENGTH, EXPRESSION…",
        "Searches memory for values.",
        "SIZE is b (1 byte), h (2), w (4) or g (8); without it, each EXPRESSION has the size of its type: \
            `find &buffer, +sizeof(buffer), \"text\"` includes the final zero, `{char[4]}\"text\"` does not. END is \
            included. Shows at most 1000 matches, or COUNT. Sets `$_` to the last match and `$numfound` to their \
            number. The search ends where memory cannot be read; `halt` ends it earlier.",
        A::Expression,
        finding::find,
    )).repeating(Repeat::Same),
    entry(
        "about-address",
        &["info address"],
        "NAME",
        "Says where a variable or function is: address, register, offset from the frame.",
        "",
        A::Expression,
        finding::address,
    ).repeating(Repeat::Same),
    entry(
        "about-vtable",
        &["info vtbl"],
        "EXPRESSION",
        "Shows the virtual function tables of a C++ object.",
        "EXPRESSION is an object or a pointer or reference to one. With `set print object on` the tables are those of \
            the class that the object really has.",
        A::Expression,
        finding::virtual_tables,
    ).repeating(Repeat::Same),
    entry(
        "about-process",
        &["info proc"],
        "[mappings | status | cmdline | cwd | exe | all]",
        "Shows what the kernel knows of the processes: id, command line, directory, executable, mapped memory.",
        "A running rank shows it, too. A core file has less. Ranks with the same mappings show them once.",
        A::Words(&["mappings", "status", "cmdline", "cwd", "exe", "all"]),
        finding::process,
    ).repeating(Repeat::Same),
    entry(
        "auxv",
        &["info auxv"],
        "",
        "Shows the auxiliary vector, which the kernel passed to the program at its start.",
        "A running rank shows it, too.",
        A::Nothing,
        finding::auxiliary_vector,
    ).repeating(Repeat::Same),
];
