//! Waiting for tracees and for requests at once.
//!
//! waitpid(2) cannot wait for anything but children, and SIGCHLD is blocked in every thread only in programs that
//! think of it before their first thread. So SIGCHLD has a handler, which may run in any thread of the process and
//! writes to the event counter of every wait point; requests write there too. A wait point sleeps in poll(2).

use nix::errno::Errno;
use nix::libc::{self, c_int, c_void, siginfo_t};
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::sys::eventfd::{EfdFlags, EventFd};
use nix::sys::signal::{SaFlags, SigAction, SigHandler, SigSet, Signal, sigaction};
use std::os::fd::{AsFd, AsRawFd};
use std::sync::atomic::{AtomicBool, AtomicI32, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// Wait points of one process; a test process has one for each engine it runs at a time.
const PLACES: usize = 64;
static COUNTERS: [AtomicI32; PLACES] = [const { AtomicI32::new(-1) }; PLACES];
/// Counters without a wait point. They are never closed: the handler may be about to write to one.
static FREE: Mutex<Vec<Arc<EventFd>>> = Mutex::new(Vec::new());
static BEFORE: OnceLock<Option<SigAction>> = OnceLock::new();

extern "C" fn on_child(signal: c_int, information: *mut siginfo_t, context: *mut c_void) {
    let errno = Errno::last_raw();
    for place in &COUNTERS {
        let counter = place.load(Ordering::Acquire);
        if counter < 0 {
            continue;
        }
        let one = 1u64;
        #[expect(unsafe_code, reason = "only write(2) itself may be called in a signal handler")]
        // SAFETY: the buffer is a live local of the length given; event counters are never closed.
        unsafe {
            libc::write(counter, (&raw const one).cast(), size_of::<u64>());
        }
    }
    match BEFORE.get().and_then(Option::as_ref).map(SigAction::handler) {
        Some(SigHandler::Handler(handler)) => handler(signal),
        Some(SigHandler::SigAction(handler)) => handler(signal, information, context),
        _ => {}
    }
    Errno::set_raw(errno);
}

fn install() -> Result<(), Errno> {
    static INSTALLED: Mutex<bool> = Mutex::new(false);
    let mut installed = INSTALLED.lock().unwrap_or_else(PoisonError::into_inner);
    if *installed {
        return Ok(());
    }
    let action = SigAction::new(
        SigHandler::SigAction(on_child),
        SaFlags::SA_RESTART | SaFlags::SA_SIGINFO | SaFlags::SA_ONSTACK,
        SigSet::empty(),
    );
    #[expect(unsafe_code, reason = "a signal handler is installed")]
    // SAFETY: the handler calls only write(2) and the handler that was there before, and keeps errno.
    let before = unsafe { sigaction(Signal::SIGCHLD, &action) }?;
    let _ = BEFORE.set(Some(before));
    *installed = true;
    Ok(())
}

/// Wakes a [`WaitPoint`] from any thread.
#[derive(Clone, Debug)]
pub struct Waker(Arc<EventFd>);

impl Waker {
    /// Ends the present or the next sleep.
    pub fn wake(&self) {
        // The counter is full only when the sleeper has 2^64 - 2 reasons to wake already.
        let _ = self.0.write(1);
    }
}

/// Where the tracer thread sleeps.
#[derive(Debug)]
pub struct WaitPoint {
    counter: Arc<EventFd>,
    place: usize,
    open: AtomicBool,
}

impl WaitPoint {
    /// A new one; SIGCHLD has a handler from now on, which calls the one before it.
    pub fn new() -> Result<Self, Errno> {
        let reused = FREE.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let counter = match reused {
            Some(counter) => counter,
            None => Arc::new(EventFd::from_flags(EfdFlags::EFD_CLOEXEC | EfdFlags::EFD_NONBLOCK)?),
        };
        let fd = counter.as_fd().as_raw_fd();
        let free = |place: &AtomicI32| place.compare_exchange(-1, fd, Ordering::AcqRel, Ordering::Relaxed).is_ok();
        let place = COUNTERS.iter().position(free).ok_or(Errno::EMFILE)?;
        let point = Self { counter, place, open: AtomicBool::new(true) };
        install()?;
        SigSet::from(Signal::SIGCHLD).thread_unblock()?;
        Ok(point)
    }

    /// For other threads.
    pub fn waker(&self) -> Waker {
        Waker(Arc::clone(&self.counter))
    }

    /// Sleeps until a child changed, a waker was used, or the time (milliseconds; `None`: no limit) has passed.
    /// Reasons that came since the last sleep count, so nothing is missed between looking and sleeping.
    pub fn sleep(&self, milliseconds: Option<u16>) {
        let timeout = milliseconds.map_or(PollTimeout::NONE, PollTimeout::from);
        let mut wanted = [PollFd::new(self.counter.as_fd(), PollFlags::POLLIN)];
        // An interrupted sleep is an ended one: the handler has written to the counter.
        let _ = poll(&mut wanted, timeout);
        let _ = self.counter.read();
    }
}

impl Drop for WaitPoint {
    fn drop(&mut self) {
        if self.open.swap(false, Ordering::AcqRel)
            && let Some(place) = COUNTERS.get(self.place)
        {
            place.store(-1, Ordering::Release);
            FREE.lock().unwrap_or_else(PoisonError::into_inner).push(Arc::clone(&self.counter));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::native::trace::call;
    use std::process::Command;

    #[test]
    fn a_waker_used_before_the_sleep_ends_it() {
        let point = WaitPoint::new().unwrap();
        point.waker().wake();
        // Nothing else ends it.
        point.sleep(None);
    }

    #[test]
    #[expect(clippy::zombie_processes, reason = "what waits for it is what is tested")]
    fn an_ended_child_wakes() {
        let point = WaitPoint::new().unwrap();
        let mut child = Command::new("true").spawn().unwrap();
        loop {
            if let Some((tid, status)) = call::poll_status().unwrap() {
                assert_eq!((tid, status), (child.id() as i32, call::Status::Exited(0)));
                // It has been waited for already.
                assert!(child.wait().is_err());
                break;
            }
            point.sleep(None);
        }
    }
}
