//! How long a job has written nothing and not moved.

use std::time::{Duration, Instant};

/// The looks at a silent job: one after half of the time, one after all of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Looks {
    None,
    First,
    /// The hang was reported; further silence is no news.
    Reported,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Silence {
    since: Instant,
    looks: Looks,
}

impl Silence {
    pub(super) fn begin(now: Instant) -> Self {
        Self { since: now, looks: Looks::None }
    }

    /// Returns the time of the next look at a job that hangs after this time.
    pub(super) fn next_look(&self, idle: Duration) -> Option<Instant> {
        match self.looks {
            Looks::None => Some(self.since + idle / 2),
            Looks::First => Some(self.since + idle),
            Looks::Reported => None,
        }
    }

    /// Records a look; true if it is the second one.
    pub(super) fn look(&mut self) -> bool {
        let is_second = self.looks == Looks::First;
        self.looks = Looks::First;
        is_second
    }

    pub(super) fn is_reported(&mut self) {
        self.looks = Looks::Reported;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_silent_job_is_looked_at_twice_and_reported_once() {
        let (now, idle) = (Instant::now(), Duration::from_secs(60));
        let mut silence = Silence::begin(now);
        assert_eq!(silence.next_look(idle), Some(now + Duration::from_secs(30)));
        assert!(!silence.look());
        assert_eq!(silence.next_look(idle), Some(now + idle));
        assert!(silence.look());
        silence.is_reported();
        assert_eq!(silence.next_look(idle), None);
    }
}
