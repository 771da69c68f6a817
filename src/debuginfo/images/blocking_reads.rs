//! Reading that takes its time has no place on the tracer thread, where every rank waits for it. What is read there all
//! the same is noted, so that a test can say so.

use std::cell::Cell;
use std::sync::{Mutex, PoisonError};

/// More notes than this say nothing new.
const MOST_NOTES: usize = 64;

thread_local! {
    static MUST_NOT_READ: Cell<bool> = const { Cell::new(false) };
}

static NOTES: Mutex<Vec<String>> = Mutex::new(Vec::new());

/// From now on this thread is one that reads nothing that takes its time.
pub fn watch_this_thread() {
    MUST_NOT_READ.set(true);
}

pub(crate) fn is_watched() -> bool {
    MUST_NOT_READ.get()
}

/// Reads that happened on watched threads, in the whole process.
pub fn slow_reads() -> Vec<String> {
    NOTES.lock().unwrap_or_else(PoisonError::into_inner).clone()
}

/// To be called before something is read.
pub(crate) fn reads(what: impl FnOnce() -> String) {
    if !MUST_NOT_READ.get() {
        return;
    }
    let what = what();
    tracing::warn!("read on the tracer thread: {what}");
    let mut notes = NOTES.lock().unwrap_or_else(PoisonError::into_inner);
    if notes.len() < MOST_NOTES {
        notes.push(what);
    }
}
