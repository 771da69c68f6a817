//! Commands that write data of the program to files, and read it back.

use super::{ArgumentKind as A, Entry, entry};
use crate::command::parse::saving;

pub(super) const ENTRIES: &[Entry] = &[
    entry(
        "dump",
        &[],
        "[binary] value FILE EXPRESSION | [binary] memory FILE START END",
        "Writes the bytes of a value, or of memory, to a file.",
        "FILE is on the host of rankscope. `%r` in its name is the number of the rank: `dump value u.%r.bin u` writes a \
            file for each rank; several ranks need it. The memory ends before END; START and END are expressions, and \
            START has no blanks outside of brackets. A file that exists is replaced once all its data is there; \
            `halt` interrupts the writing and leaves it as it was. `save` writes arrays for numpy, and as text.",
        A::File,
        saving::dump,
    ),
    entry(
        "append",
        &[],
        "[binary] value FILE EXPRESSION | [binary] memory FILE START END",
        "Adds the bytes of a value, or of memory, to a file.",
        "As `dump`, at the end of a file, which is created if there is none.",
        A::File,
        saving::append,
    ),
    entry(
        "restore",
        &[],
        "FILE binary OFFSET [START [END]]",
        "Writes the bytes of a file to the memory of the ranks.",
        "OFFSET is an expression for the address of the file's first byte, such as `&x`; START and END choose bytes of \
            the file, END excluded, and do not change where the others go. FILE is on the host of rankscope; `%r` in \
            its name is the number of the rank, otherwise all ranks get the same bytes. Only bytes can be restored, \
            as `dump` writes them.",
        A::File,
        saving::restore,
    ),
];
