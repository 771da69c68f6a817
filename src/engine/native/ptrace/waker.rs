//! Waiting for tracees and for requests at once.

use super::interruptible_wait::{CALL, Waited, install, wait_unless};
use super::requests::{Status, Tid};
use crate::process::thread_signal::send_signal;
use nix::errno::Errno;
use nix::sys::signal::{SigEvent, SigSet, SigevNotify};
use nix::sys::time::TimeSpec;
use nix::sys::timer::{Expiration, Timer, TimerSetTimeFlags};
use nix::time::ClockId;
use nix::unistd::{getpid, gettid};
use std::sync::atomic::{AtomicI32, AtomicU32, Ordering};
use std::sync::{Arc, OnceLock};
use std::thread::{self, Thread};
use std::time::Duration;

/// State of the sleeper: not sleeping.
const AWAKE: Tid = 0;
/// State of the sleeper: in [`thread::park`], because it has no tracees. Any other value is its thread id, and it waits
/// for a status.
const PARKED: Tid = -1;

#[derive(Debug, Default)]
struct Bell {
    /// Not zero if there is work besides statuses. The waker sets it before it reads the sleeper's state, and the
    /// sleeper reads it after it has set its state, so one of them notices.
    rung: AtomicU32,
    sleeper: AtomicI32,
    /// The sleeper, and its thread id.
    thread: OnceLock<(Thread, Tid)>,
}

/// Wakes a [`WaitPoint`] from any thread.
#[derive(Clone, Debug)]
pub struct Waker(Arc<Bell>);

impl Waker {
    /// Ends the current or the next sleep.
    pub fn wake(&self) {
        if self.0.rung.swap(1, Ordering::SeqCst) != 0 {
            // The sleeper has not yet noticed an earlier call.
            return;
        }
        match self.0.sleeper.load(Ordering::SeqCst) {
            AWAKE => {}
            PARKED => self.0.thread.get().into_iter().for_each(|(thread, _)| thread.unpark()),
            tid => send_signal(getpid().as_raw(), tid, CALL as i32),
        }
    }
}

/// Lets the tracer thread sleep until there is work.
#[derive(Debug)]
pub struct WaitPoint {
    bell: Arc<Bell>,
}

impl WaitPoint {
    /// Creates a wait point, and installs a handler for SIGURG.
    pub fn new() -> Result<Self, Errno> {
        install()?;
        Ok(Self { bell: Arc::default() })
    }

    /// Returns a waker for use by other threads.
    pub fn waker(&self) -> Waker {
        Waker(Arc::clone(&self.bell))
    }

    /// Sleeps until a tracee or child of this thread has a status, which is returned, until a waker is used, or until
    /// the time has passed (milliseconds; `None`: no limit). Events since the last sleep count, so none is missed
    /// between checking and sleeping. Must be used in one thread only.
    pub fn sleep(&self, milliseconds: Option<u16>) -> Option<(Tid, Status)> {
        let (_, tid) = self.bell.thread.get_or_init(|| {
            // The signal may be blocked by inheritance.
            let _ = SigSet::from(CALL).thread_unblock();
            (thread::current(), gettid().as_raw())
        });
        let limit = milliseconds.map(|milliseconds| Duration::from_millis(milliseconds.into()));
        let said = self.wait(*tid, limit);
        self.bell.sleeper.store(AWAKE, Ordering::SeqCst);
        self.bell.rung.swap(0, Ordering::SeqCst);
        said
    }

    fn wait(&self, tid: Tid, limit: Option<Duration>) -> Option<(Tid, Status)> {
        let _timer = limit.and_then(|limit| alarm(tid, limit));
        self.bell.sleeper.store(tid, Ordering::SeqCst);
        match wait_unless(&self.bell.rung) {
            Waited::Said(tid, status) => return Some((tid, status)),
            Waited::Called => return None,
            Waited::Alone => self.bell.sleeper.store(PARKED, Ordering::SeqCst),
        }
        if self.bell.rung.load(Ordering::SeqCst) == 0 {
            match limit {
                Some(limit) => thread::park_timeout(limit),
                None => thread::park(),
            }
        }
        None
    }
}

/// Signals a thread after this time, and again, because the first signal may arrive before it sleeps.
fn alarm(thread_id: Tid, after: Duration) -> Option<Timer> {
    let notify = SigevNotify::SigevThreadId { signal: CALL, thread_id, si_value: 0 };
    let mut timer = Timer::new(ClockId::CLOCK_MONOTONIC, SigEvent::new(notify)).ok()?;
    let (after, again) = (TimeSpec::from_duration(after), TimeSpec::from_duration(Duration::from_millis(100)));
    timer.set(Expiration::IntervalDelayed(after, again), TimerSetTimeFlags::empty()).ok()?;
    Some(timer)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::{Child, Command, Stdio};
    use std::sync::mpsc::channel;

    /// Starts a child that runs until its standard input is closed.
    fn patient() -> Child {
        Command::new("cat").stdin(Stdio::piped()).stdout(Stdio::null()).spawn().unwrap()
    }

    #[test]
    fn a_waker_used_before_the_sleep_ends_it() {
        let point = WaitPoint::new().unwrap();
        point.waker().wake();
        // Nothing else ends it.
        assert_eq!(point.sleep(None), None);
        let mut child = patient();
        point.waker().wake();
        assert_eq!(point.sleep(None), None);
        drop(child.stdin.take());
        child.wait().unwrap();
    }

    #[test]
    fn whoever_rings_is_heard_whether_there_are_children_or_not() {
        for with_child in [false, true] {
            let point = WaitPoint::new().unwrap();
            let child = with_child.then(patient);
            let waker = point.waker();
            let (sender, receiver) = channel();
            let ringer = thread::spawn(move || {
                for number in 0..20_000 {
                    sender.send(number).unwrap();
                    waker.wake();
                }
            });
            // A lost wake-up would leave the last numbers waiting forever.
            let mut heard = 0;
            while heard < 20_000 {
                heard += receiver.try_iter().count();
                if heard < 20_000 {
                    assert_eq!(point.sleep(None), None);
                }
            }
            ringer.join().unwrap();
            if let Some(mut child) = child {
                drop(child.stdin.take());
                child.wait().unwrap();
            }
        }
    }

    #[test]
    fn a_sleep_with_a_limit_ends_by_itself() {
        let point = WaitPoint::new().unwrap();
        assert_eq!(point.sleep(Some(5)), None);
        let mut child = patient();
        assert_eq!(point.sleep(Some(5)), None);
        drop(child.stdin.take());
        child.wait().unwrap();
    }

    #[test]
    fn an_ended_child_wakes() {
        let point = WaitPoint::new().unwrap();
        let mut child = Command::new("true").spawn().unwrap();
        assert_eq!(point.sleep(None), Some((child.id() as i32, Status::Exited(0))));
        // It has been waited for already.
        assert!(child.wait().is_err());
    }
}
