//! Waiting for conditions, with a limit: the one place in the tests that looks again and again. What is waited for is the
//! state of other processes (`/proc`, files they write, terminals, clusters), most of which the kernel tells nobody about.

use std::{
    thread,
    time::{Duration, Instant},
};

/// What nothing in the tests takes longer than, on a machine that is busy.
pub const LIMIT: Duration = Duration::from_secs(90);

/// Between two looks: short against whatever is waited for.
const PAUSE: Duration = Duration::from_micros(500);

/// Looks again and again until there is something; panics with the words when the limit has passed.
#[track_caller]
pub fn wait_for<T>(what: &str, mut look: impl FnMut() -> Option<T>) -> T {
    wait_on(&mut (), |()| look(), |()| what.to_owned())
}

/// The same for what changes by looking at it; the words are made when it was in vain.
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

/// Looks again and again until there is something, or the limit has passed.
pub fn within<T>(limit: Duration, mut look: impl FnMut() -> Option<T>) -> Option<T> {
    let end = Instant::now() + limit;
    loop {
        match look() {
            None if Instant::now() < end => thread::sleep(PAUSE),
            found => return found,
        }
    }
}

/// What [`wait_for`] does, while other tasks of the same thread are served.
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
