//! The time, for deadlines. Read it where it is needed: a time that came with an earlier message is as old as the pause
//! since then, and a deadline counted from it may have passed before any reply is possible.

use std::{
    sync::Arc,
    sync::atomic::{AtomicU64, Ordering},
    time::{Duration, Instant},
};

/// A clock: the system's, or in a test one that stands still until it is advanced.
#[derive(Clone, Debug, Default)]
pub struct Clock {
    stopped: Option<Stopped>,
}

#[derive(Clone, Debug)]
struct Stopped {
    at: Instant,
    /// Microseconds since the start; copies of the clock share them.
    advanced: Arc<AtomicU64>,
}

impl Clock {
    /// Builds a clock that stands still until it or a copy of it is advanced.
    pub fn stopped() -> Self {
        Self { stopped: Some(Stopped { at: Instant::now(), advanced: Arc::default() }) }
    }

    /// Returns the present time of this clock.
    pub fn now(&self) -> Instant {
        match &self.stopped {
            Some(Stopped { at, advanced }) => *at + Duration::from_micros(advanced.load(Ordering::SeqCst)),
            None => Instant::now(),
        }
    }

    /// Advances a stopped clock; does nothing to the system's.
    pub fn advance(&self, by: Duration) {
        if let Some(Stopped { advanced, .. }) = &self.stopped {
            advanced.fetch_add(u64::try_from(by.as_micros()).unwrap_or(u64::MAX), Ordering::SeqCst);
        }
    }
}
