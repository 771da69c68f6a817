//! Limits on the output of values.

use serde::{Deserialize, Serialize};

/// Limits on arrays, containers and texts; gdb's `print elements` and `print repeats`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct PrintLimits {
    /// Elements of an array or container, or characters of a text; `u32::MAX`: no limit.
    pub elements: u32,
    /// Longer runs of equal elements are shown once, and count as this many elements.
    pub repeats: u32,
}

/// Limit on the elements fetched, whatever the user asks for: an engine holds all of them in memory.
const MOST_FETCHED: u32 = 65_536;

impl Default for PrintLimits {
    fn default() -> Self {
        Self { elements: 200, repeats: 10 }
    }
}

impl PrintLimits {
    /// The number of elements an engine fetches.
    pub fn fetched(self) -> u64 {
        self.elements.min(MOST_FETCHED).into()
    }
}
