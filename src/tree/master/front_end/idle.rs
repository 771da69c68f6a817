//! The time limit for a session without a front end in which nothing lives.

use std::time::{Duration, Instant};

/// The limit until a front end sets another.
const LINGER: Duration = Duration::from_secs(600);

#[derive(Debug)]
pub(in crate::master) struct Idle {
    linger: Duration,
    since: Option<Instant>,
}

impl Default for Idle {
    fn default() -> Self {
        Self { linger: LINGER, since: None }
    }
}

impl Idle {
    pub(in crate::master) fn linger_for(&mut self, linger: Duration) {
        self.linger = linger;
    }

    /// Returns when the session ends; `None` while it has a front end or something lives.
    pub(in crate::master) fn until(&self) -> Option<Instant> {
        self.since.map(|since| since + self.linger)
    }

    /// Records whether the session is idle now; returns true if it has been for long enough.
    pub(in crate::master) fn is_over(&mut self, now: Instant, is_idle: bool) -> bool {
        if is_idle {
            self.since.get_or_insert(now);
        } else {
            self.since = None;
        }
        self.until().is_some_and(|end| end <= now)
    }
}
