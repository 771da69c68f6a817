//! How long a session stays that nobody looks at and in which nothing lives.

use std::time::{Duration, Instant};

/// Until a front end says otherwise, such a session is kept for so long.
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

    /// When the session ends; `None` while somebody looks at it or something lives.
    pub(in crate::master) fn until(&self) -> Option<Instant> {
        self.since.map(|since| since + self.linger)
    }

    /// Notes whether the session is idle now; whether it has been so for long enough.
    pub(in crate::master) fn is_over(&mut self, now: Instant, is_idle: bool) -> bool {
        if is_idle {
            self.since.get_or_insert(now);
        } else {
            self.since = None;
        }
        self.until().is_some_and(|end| end <= now)
    }
}
