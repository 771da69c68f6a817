//! Slow reads do not belong on the tracer thread, where they delay every rank. Those that happen there anyway are
//! recorded, so that a test can report them.

use std::cell::Cell;
use std::sync::{Mutex, PoisonError};

/// Further notes add nothing.
const MOST_NOTES: usize = 64;

thread_local! {
    static MUST_NOT_READ: Cell<bool> = const { Cell::new(false) };
}

static NOTES: Mutex<Vec<String>> = Mutex::new(Vec::new());

/// Marks this thread as one that must not do slow reads.
pub fn watch_this_thread() {
    MUST_NOT_READ.set(true);
}

pub(crate) fn is_watched() -> bool {
    MUST_NOT_READ.get()
}

/// Returns the slow reads that happened on watched threads, in the whole process.
pub fn slow_reads() -> Vec<String> {
    NOTES.lock().unwrap_or_else(PoisonError::into_inner).clone()
}

/// Records a slow read; call it before reading.
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
