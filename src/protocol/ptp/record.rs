//! The records of section 3 of the wire: LOCATION, FRAME, SIGNAL, BREAKPOINT, a row of memory.

use super::field::record;

record! {
    /// LOCATION of the wire, section 3.
    pub struct BaseLocation {
        /// The source file; empty if not known.
        pub file: String,
        /// The function; empty if not known.
        pub function: String,
        /// The address, `0x…`.
        pub address: String,
        /// The line, from 1; 0 if not known.
        pub line: i32,
    }
}

record! {
    /// FRAME of the wire, section 3.
    pub struct BaseFrame {
        /// The level; 0 is the innermost.
        pub level: i32,
        /// The place of execution.
        pub location: Option<BaseLocation>,
    }
}

record! {
    /// SIGNAL of the wire, section 3.
    pub struct BaseSignal {
        /// The name, such as `SIGUSR1`.
        pub name: String,
        /// True if the signal stops the rank.
        pub stop: bool,
        /// True if the signal is reported.
        pub print: bool,
        /// True if the program gets the signal.
        pub pass: bool,
        /// A description in words.
        pub description: String,
    }
}

record! {
    /// BREAKPOINT of the wire, section 3.
    pub struct BaseBreakpoint {
        /// The breakpoint's number.
        pub id: i32,
        /// Hits still to be ignored.
        pub ignore: i32,
        /// True if temporary or hardware.
        pub special: bool,
        /// True if it has been deleted.
        pub deleted: bool,
        /// The kind: `breakpoint`, `hw watchpoint`, …
        pub kind: String,
        /// The breakpoint's place.
        pub location: Option<BaseLocation>,
        /// The number of hits.
        pub hits: i32,
    }
}

record! {
    /// A row of MemoryInfo.
    pub struct MemoryRow {
        /// The address of its first byte, `0x…`.
        pub address: String,
        /// The bytes as characters.
        pub ascii: String,
        /// The words in the format asked for.
        pub words: Vec<String>,
    }
}
