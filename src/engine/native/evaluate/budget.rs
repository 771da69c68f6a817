//! What one value may cost. Debug information is written by anybody: a type of a few lines may have more members than there
//! is memory for them, and what a debugger shows is read by a person.

use std::cell::Cell;
use std::time::{Duration, Instant};

/// Members, elements and what they consist of.
const PARTS: u32 = 1 << 17;
/// Bytes of memory beyond those of the value itself: of what containers and pointers lead to.
const BYTES: u64 = 64 << 20;
const TIME: Duration = Duration::from_secs(3);
/// Parts between two looks at the clock.
const LOOK: u32 = 1 << 8;

/// What is left to spend.
#[derive(Debug)]
pub(super) struct Budget {
    parts: Cell<u32>,
    bytes: Cell<u64>,
    ends: Instant,
    is_late: Cell<bool>,
}

impl Budget {
    /// Of a value that is begun now.
    pub(super) fn new() -> Self {
        let ends = Instant::now() + TIME;
        Self { parts: Cell::new(PARTS), bytes: Cell::new(BYTES), ends, is_late: Cell::new(false) }
    }

    /// One more part; or why it is not to be had.
    pub(super) fn part(&self) -> Result<(), String> {
        let left = self.parts.get();
        if left == 0 {
            return Err(format!("not read: the value has more than {PARTS} parts"));
        }
        self.parts.set(left - 1);
        self.read(0)?;
        if left.is_multiple_of(LOOK) && Instant::now() >= self.ends {
            self.is_late.set(true);
        }
        if self.is_late.get() {
            Err(format!("not read: the value takes more than {} s", TIME.as_secs()))
        } else {
            Ok(())
        }
    }

    /// So many bytes more are to be read; or why not.
    pub(super) fn read(&self, bytes: u64) -> Result<(), String> {
        self.also(bytes);
        if self.bytes.get() > 0 {
            return Ok(());
        }
        Err(format!("not read: the value leads to more than {} MiB", BYTES >> 20))
    }

    /// So many bytes more go with the value.
    pub(super) fn also(&self, bytes: u64) {
        self.bytes.set(self.bytes.get().saturating_sub(bytes));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_spent_is_gone_and_said() {
        let budget = Budget::new();
        assert!((0..PARTS).all(|_| budget.part().is_ok()));
        assert!(budget.part().unwrap_err().contains("131072 parts"));
        let budget = Budget::new();
        assert_eq!(budget.read(BYTES - 1), Ok(()));
        assert_eq!(budget.part(), Ok(()));
        assert!(budget.read(1).unwrap_err().contains("64 MiB"));
        assert!(budget.part().is_err(), "nothing more is begun");
        let late = Budget { ends: Instant::now(), ..Budget::new() };
        assert!(late.part().unwrap_err().contains("3 s"));
        assert!(late.part().is_err(), "without another look at the clock");
    }
}
