//! Keeps the output thread from reading faster than its reports are taken: a rank that writes waits for its server, but
//! for nobody beyond it.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

/// Bytes of output that may be reported and not taken.
const MOST_UNTAKEN: usize = 1 << 20;

/// The output reported and not taken yet; by default, it is not limited.
#[derive(Clone, Debug, Default)]
pub struct OutputPace(Option<Arc<Pace>>);

#[derive(Debug, Default)]
struct Pace {
    untaken: Mutex<Untaken>,
    moved: Condvar,
}

#[derive(Debug, Default)]
struct Untaken {
    bytes: usize,
    /// Nobody takes reports any more.
    is_over: bool,
}

impl Pace {
    fn untaken(&self) -> MutexGuard<'_, Untaken> {
        self.untaken.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Two are equal if they limit the same reports.
impl PartialEq for OutputPace {
    fn eq(&self, other: &Self) -> bool {
        match (&self.0, &other.0) {
            (Some(one), Some(two)) => Arc::ptr_eq(one, two),
            (one, two) => one.is_none() && two.is_none(),
        }
    }
}

impl Eq for OutputPace {}

impl OutputPace {
    /// Returns a limited pace: whoever takes reports calls [`Self::taken`].
    pub fn limited() -> Self {
        Self(Some(Arc::default()))
    }

    /// Waits for room, and takes some for a report.
    pub(crate) fn report(&self, bytes: usize) {
        let Some(pace) = &self.0 else { return };
        let mut untaken = pace.untaken();
        while untaken.bytes >= MOST_UNTAKEN && !untaken.is_over {
            untaken = pace.moved.wait(untaken).unwrap_or_else(PoisonError::into_inner);
        }
        untaken.bytes += bytes;
    }

    /// Output of this many bytes has been taken.
    pub fn taken(&self, bytes: usize) {
        let Some(pace) = &self.0 else { return };
        let mut untaken = pace.untaken();
        untaken.bytes = untaken.bytes.saturating_sub(bytes);
        pace.moved.notify_all();
    }

    /// No report will be taken any more, and none is waited for.
    pub fn end(&self) {
        let Some(pace) = &self.0 else { return };
        pace.untaken().is_over = true;
        pace.moved.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc::channel;
    use std::thread::spawn;
    use std::time::Duration;

    #[test]
    fn a_reporter_waits_until_its_reports_are_taken() {
        let pace = OutputPace::limited();
        pace.report(MOST_UNTAKEN);
        let (told, tells) = channel();
        let reporter = spawn({
            let pace = pace.clone();
            move || {
                pace.report(MOST_UNTAKEN);
                told.send("second").unwrap();
                pace.report(1);
                told.send("third").unwrap();
            }
        });
        assert!(tells.recv_timeout(Duration::from_millis(50)).is_err());
        pace.taken(MOST_UNTAKEN);
        assert_eq!(tells.recv().unwrap(), "second");
        assert!(tells.recv_timeout(Duration::from_millis(50)).is_err());
        pace.end();
        assert_eq!(tells.recv().unwrap(), "third");
        reporter.join().unwrap();
    }
}
