//! The time, for deadlines. It is asked for where it is needed: a time that came with an earlier message is as old as the
//! pause since then, and a deadline counted from it has passed before anybody could answer.

use std::{
    sync::Arc,
    sync::atomic::{AtomicU64, Ordering},
    time::{Duration, Instant},
};

/// The time: the system's, or in a test one that stands still until it is advanced.
#[derive(Clone, Debug, Default)]
pub struct Clock {
    stopped: Option<Stopped>,
}

#[derive(Clone, Debug)]
struct Stopped {
    at: Instant,
    /// Microseconds since then; copies of the clock share them.
    advanced: Arc<AtomicU64>,
}

impl Clock {
    /// A clock that stands still until somebody advances it or a copy of it.
    pub fn stopped() -> Self {
        Self { stopped: Some(Stopped { at: Instant::now(), advanced: Arc::default() }) }
    }

    /// The time now.
    pub fn now(&self) -> Instant {
        match &self.stopped {
            Some(Stopped { at, advanced }) => *at + Duration::from_micros(advanced.load(Ordering::SeqCst)),
            None => Instant::now(),
        }
    }

    /// Lets time pass on a stopped clock; the system's goes by itself.
    pub fn advance(&self, by: Duration) {
        if let Some(Stopped { advanced, .. }) = &self.stopped {
            advanced.fetch_add(u64::try_from(by.as_micros()).unwrap_or(u64::MAX), Ordering::SeqCst);
        }
    }
}
