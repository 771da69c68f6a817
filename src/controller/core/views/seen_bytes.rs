//! The bytes of memory that were on the screen at the last stop: which of the present ones differ.

use model::Rank;
use std::collections::HashMap;

/// Bytes that are kept to be compared at the next stop.
const REMEMBERED: usize = 1 << 18;

/// The bytes that were on the screen at this stop and at the one before, by their addresses.
#[derive(Debug, Default)]
pub(in crate::core) struct SeenBytes {
    lead: Rank,
    stop: u64,
    now: HashMap<u64, Option<u8>>,
    before: HashMap<u64, Option<u8>>,
}

impl SeenBytes {
    /// Prepares for the bytes of a stop.
    pub(super) fn begin(&mut self, lead: Rank, stop: u64) {
        if self.lead != lead {
            *self = Self { lead, stop, ..Self::default() };
        }
        if self.stop != stop {
            self.before = std::mem::take(&mut self.now);
            self.stop = stop;
        }
        if self.now.len() > REMEMBERED {
            self.now.clear();
        }
    }

    /// True if a byte, `None` if it cannot be read, differs from the one that was there at the last stop.
    pub(super) fn is_new(&mut self, address: u64, byte: Option<u8>) -> bool {
        self.now.insert(address, byte);
        self.before.get(&address).is_some_and(|before| *before != byte)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_compared_with_those_of_the_last_stop() {
        let mut seen = SeenBytes::default();
        let mut at = |stop, lead, byte| {
            seen.begin(Rank(lead), stop);
            seen.is_new(0x1000, byte)
        };
        assert!(!at(1, 0, Some(1)), "not seen before");
        assert!(!at(1, 0, Some(2)), "an assignment is no stop");
        assert!(at(2, 0, Some(3)));
        assert!(at(2, 0, Some(3)), "it stays marked until the next stop");
        assert!(!at(3, 0, Some(3)));
        assert!(at(4, 0, None), "its page is gone");
        assert!(!at(5, 1, Some(9)), "another rank");
    }
}
