//! The records of section 3 of the wire: LOCATION, FRAME, SIGNAL, BREAKPOINT, a row of memory.

use super::field::record;

record! {
    /// LOCATION.
    pub struct BaseLocation {
        /// Source file; empty when not known.
        pub file: String,
        /// Function; empty when not known.
        pub function: String,
        /// `0x…`.
        pub address: String,
        /// Counted from 1; 0 when not known.
        pub line: i32,
    }
}

record! {
    /// FRAME.
    pub struct BaseFrame {
        /// 0 is the innermost.
        pub level: i32,
        /// Where it executes.
        pub location: Option<BaseLocation>,
    }
}

record! {
    /// SIGNAL.
    pub struct BaseSignal {
        /// `SIGUSR1`.
        pub name: String,
        /// Stop the rank.
        pub stop: bool,
        /// Say so.
        pub print: bool,
        /// Let the program have it.
        pub pass: bool,
        /// In words.
        pub description: String,
    }
}

record! {
    /// BREAKPOINT.
    pub struct BaseBreakpoint {
        /// Its number.
        pub id: i32,
        /// Arrivals still to be passed over.
        pub ignore: i32,
        /// Temporary or hardware.
        pub special: bool,
        /// No longer there.
        pub deleted: bool,
        /// `breakpoint`, `hw watchpoint`, …
        pub kind: String,
        /// Where it is.
        pub location: Option<BaseLocation>,
        /// Stops it caused.
        pub hits: i32,
    }
}

record! {
    /// A row of MemoryInfo.
    pub struct MemoryRow {
        /// Of its first byte, `0x…`.
        pub address: String,
        /// The bytes as characters.
        pub ascii: String,
        /// The words in the format asked for.
        pub words: Vec<String>,
    }
}
