//! Waiting for conditions, with a limit.

use std::{
    thread,
    time::{Duration, Instant},
};

/// What nothing in the tests takes longer than, on a machine that is busy.
pub const LIMIT: Duration = Duration::from_secs(30);

/// Looks again and again until there is something; panics with the words when the limit has passed.
#[track_caller]
pub fn wait_for<T>(what: &str, mut look: impl FnMut() -> Option<T>) -> T {
    let end = Instant::now() + LIMIT;
    loop {
        if let Some(found) = look() {
            return found;
        }
        assert!(Instant::now() < end, "waited {LIMIT:?} in vain for {what}");
        thread::sleep(Duration::from_millis(1));
    }
}
