//! How much of a value is shown.

use serde::{Deserialize, Serialize};

/// How much of arrays, containers and texts is shown; gdb's `print elements` and `print repeats`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct PrintLimits {
    /// Elements of an array or a container, characters of a text; `u32::MAX`: all.
    pub elements: u32,
    /// Longer runs of equal elements are shown once, and count as so many.
    pub repeats: u32,
}

/// Elements that are fetched at most, whatever is asked for: an engine holds all of them at once.
const MOST_FETCHED: u32 = 65_536;

impl Default for PrintLimits {
    fn default() -> Self {
        Self { elements: 200, repeats: 10 }
    }
}

impl PrintLimits {
    /// Elements that an engine fetches.
    pub fn fetched(self) -> u64 {
        self.elements.min(MOST_FETCHED).into()
    }
}
