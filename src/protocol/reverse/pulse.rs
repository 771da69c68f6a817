//! Whether the process that wrote a request still lives: it touches the file, and whoever reads the directory watches the
//! time of the file. Clocks of two hosts differ and jump, so a time that changes while it is watched says more than any
//! comparison of it with the own clock.

use std::time::{Duration, Instant, SystemTime};

/// How often a request is touched.
pub const HEARTBEAT: Duration = Duration::from_secs(5);
/// A request that was not touched for so long is stale.
pub const STALE_AFTER: Duration = Duration::from_secs(60);

/// The sign of life of one request, as one reader of the directory sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pulse {
    modified: SystemTime,
    /// When the present time of the file was first seen.
    since: Instant,
    /// It was seen to change.
    beats: bool,
}

impl Pulse {
    /// Seen for the first time.
    pub fn new(modified: SystemTime, at: Instant) -> Self {
        Self { modified, since: at, beats: false }
    }

    /// Seen again.
    pub fn seen(&mut self, modified: SystemTime, at: Instant) {
        if self.modified != modified {
            *self = Self { modified, since: at, beats: true };
        }
    }

    /// How long it has been silent: by our own clock where the file was seen to change, or has not changed for longer
    /// than its time says; otherwise by the time of the file.
    pub fn silence(&self, now: SystemTime, at: Instant) -> Duration {
        let watched = at.saturating_duration_since(self.since);
        if self.beats {
            return watched;
        }
        // A time in the future is no age at all: then only what we watched counts.
        now.duration_since(self.modified).unwrap_or_default().max(watched)
    }

    /// Whether it counts as dead.
    pub fn is_stale(&self, now: SystemTime, at: Instant) -> bool {
        self.silence(now, at) >= STALE_AFTER
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HOUR: Duration = Duration::from_secs(3600);
    const MINUTE: Duration = Duration::from_secs(60);
    const SECOND: Duration = Duration::from_secs(1);

    fn clocks() -> (SystemTime, Instant) {
        (SystemTime::UNIX_EPOCH + 1000 * HOUR, Instant::now())
    }

    #[test]
    fn a_fresh_file_ages_until_it_is_touched() {
        let (wall, at) = clocks();
        let mut pulse = Pulse::new(wall, at);
        assert!(!pulse.is_stale(wall + 59 * SECOND, at + 59 * SECOND));
        assert!(pulse.is_stale(wall + MINUTE, at + MINUTE));
        pulse.seen(wall + 58 * SECOND, at + 58 * SECOND);
        assert!(!pulse.is_stale(wall + MINUTE, at + MINUTE));
        assert_eq!(pulse.silence(wall + MINUTE, at + MINUTE), 2 * SECOND);
    }

    #[test]
    fn an_old_file_is_stale_at_first_sight() {
        let (wall, at) = clocks();
        assert!(Pulse::new(wall - MINUTE, at).is_stale(wall, at));
        assert!(!Pulse::new(wall - 59 * SECOND, at).is_stale(wall, at));
    }

    #[test]
    fn a_clock_that_jumps_makes_nobody_dead_or_alive() {
        let (wall, at) = clocks();
        let mut pulse = Pulse::new(wall, at);
        pulse.seen(wall + 5 * SECOND, at + 5 * SECOND);
        // Ours jumps ahead: the file was touched a second ago for all that.
        assert!(!pulse.is_stale(wall + HOUR, at + 6 * SECOND));
        // The writer's jumps back and goes on beating.
        pulse.seen(wall - HOUR, at + 10 * SECOND);
        assert!(!pulse.is_stale(wall + 11 * SECOND, at + 11 * SECOND));
        // It stops: our own watching tells.
        assert!(pulse.is_stale(wall + 70 * SECOND, at + 70 * SECOND));
        // The time of a dead one's file lies ahead of our clock.
        let ahead = Pulse::new(wall + HOUR, at);
        assert!(!ahead.is_stale(wall, at) && ahead.is_stale(wall + MINUTE, at + MINUTE));
        // A live one's clock is an hour behind: one beat is enough to know.
        let mut behind = Pulse::new(wall - HOUR, at);
        assert!(behind.is_stale(wall, at));
        behind.seen(wall - HOUR + 5 * SECOND, at + 5 * SECOND);
        assert!(!behind.is_stale(wall + 5 * SECOND, at + 5 * SECOND));
    }
}
