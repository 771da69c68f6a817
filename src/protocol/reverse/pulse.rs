//! Tells whether the process that wrote a request is alive: it touches the file, and the reader of the directory
//! watches the file's time. Clocks of two hosts differ and jump, so a time that changes while it is watched says more
//! than any comparison with the own clock.

use std::time::{Duration, Instant, SystemTime};

/// The interval at which a waiting process touches its request.
pub const HEARTBEAT: Duration = Duration::from_secs(5);
/// The time without a touch after which a request is stale.
pub const STALE_AFTER: Duration = Duration::from_secs(60);

/// The heartbeat of one request, as one reader of the directory sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pulse {
    modified: SystemTime,
    /// The time at which the present time of the file was first seen.
    since: Instant,
    /// True once the file's time was seen to change.
    beats: bool,
}

impl Pulse {
    /// Starts with the file's time as first seen.
    pub fn new(modified: SystemTime, at: Instant) -> Self {
        Self { modified, since: at, beats: false }
    }

    /// Records the file's time as seen again.
    pub fn seen(&mut self, modified: SystemTime, at: Instant) {
        if self.modified != modified {
            *self = Self { modified, since: at, beats: true };
        }
    }

    /// Returns the time since the last touch: by our own clock if the file was seen to change, or has not changed for
    /// longer than its time says; otherwise by the file's time.
    pub fn silence(&self, now: SystemTime, at: Instant) -> Duration {
        let watched = at.saturating_duration_since(self.since);
        if self.beats {
            return watched;
        }
        // A time in the future gives no age: then only our own observation counts.
        now.duration_since(self.modified).unwrap_or_default().max(watched)
    }

    /// True after [`STALE_AFTER`] without a touch.
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
        // Our clock jumps ahead; the file was touched a second ago.
        assert!(!pulse.is_stale(wall + HOUR, at + 6 * SECOND));
        // The writer's clock jumps back and the writer goes on touching.
        pulse.seen(wall - HOUR, at + 10 * SECOND);
        assert!(!pulse.is_stale(wall + 11 * SECOND, at + 11 * SECOND));
        // The writer stops: our own observation shows it.
        assert!(pulse.is_stale(wall + 70 * SECOND, at + 70 * SECOND));
        // The time of a dead writer's file lies ahead of our clock.
        let ahead = Pulse::new(wall + HOUR, at);
        assert!(!ahead.is_stale(wall, at) && ahead.is_stale(wall + MINUTE, at + MINUTE));
        // The clock of a live writer is an hour behind: one touch is enough to know.
        let mut behind = Pulse::new(wall - HOUR, at);
        assert!(behind.is_stale(wall, at));
        behind.seen(wall - HOUR + 5 * SECOND, at + 5 * SECOND);
        assert!(!behind.is_stale(wall + 5 * SECOND, at + 5 * SECOND));
    }
}
