//! Waiting for conditions, with a limit: the only place in the tests that polls. The conditions are states of other
//! processes (`/proc`, files, terminals, clusters), most of which the kernel does not report.

use std::{
    thread,
    time::{Duration, Instant},
};

/// Longer than anything in the tests takes on a busy machine.
pub const LIMIT: Duration = Duration::from_secs(90);

/// The polling interval: short compared with every wait.
const PAUSE: Duration = Duration::from_micros(500);

/// Polls until there is a value; panics with the words after the limit.
#[track_caller]
pub fn wait_for<T>(what: &str, mut look: impl FnMut() -> Option<T>) -> T {
    wait_on(&mut (), |()| look(), |()| what.to_owned())
}

/// The same for a function that changes state; the words are made only on failure.
#[track_caller]
pub fn wait_on<S, T>(
    subject: &mut S,
    mut look: impl FnMut(&mut S) -> Option<T>,
    words: impl FnOnce(&S) -> String,
) -> T {
    match within(LIMIT, || look(subject)) {
        Some(found) => found,
        None => panic!("waited {LIMIT:?} in vain for {}", words(subject)),
    }
}

/// Polls until there is a value, or until the limit.
pub fn within<T>(limit: Duration, mut look: impl FnMut() -> Option<T>) -> Option<T> {
    let end = Instant::now() + limit;
    loop {
        match look() {
            None if Instant::now() < end => thread::sleep(PAUSE),
            found => return found,
        }
    }
}

/// Like [`wait_for`], while other tasks of the same thread are served.
pub async fn until<T>(what: &str, mut look: impl FnMut() -> Option<T>) -> T {
    let end = Instant::now() + LIMIT;
    loop {
        if let Some(found) = look() {
            return found;
        }
        assert!(Instant::now() < end, "waited {LIMIT:?} in vain for {what}");
        tokio::time::sleep(PAUSE).await;
    }
}
