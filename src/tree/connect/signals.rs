//! The signals that ask for an end, read between two looks at the directory.

use super::fault::{ConnectFault, system};
use crate::ending_signals::heeded;
use nix::errno::Errno;
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::sys::signal::{SigSet, Signal};
use nix::sys::signalfd::{SfdFlags, SignalFd};
use std::os::fd::AsFd;
use std::time::Duration;

/// Reads the signals, which have no other effect while it lives.
#[derive(Debug)]
pub(super) struct Signals {
    before: SigSet,
    waiting: SignalFd,
}

impl Signals {
    pub(super) fn new() -> Result<Self, ConnectFault> {
        let fault = || system("watch for signals");
        let mut wanted = SigSet::empty();
        heeded().for_each(|signal| wanted.add(signal));
        let before = SigSet::thread_get_mask().map_err(|errno| fault()(errno.into()))?;
        wanted.thread_block().map_err(|errno| fault()(errno.into()))?;
        let flags = SfdFlags::SFD_CLOEXEC | SfdFlags::SFD_NONBLOCK;
        let waiting = SignalFd::with_flags(&wanted, flags).map_err(|errno| fault()(errno.into()))?;
        Ok(Self { before, waiting })
    }

    /// Waits for a signal, at most this long.
    pub(super) fn wait(&self, limit: Duration) -> Option<Signal> {
        let timeout = PollTimeout::try_from(limit.as_millis()).unwrap_or(PollTimeout::MAX);
        let mut entry = [PollFd::new(self.waiting.as_fd(), PollFlags::POLLIN)];
        match poll(&mut entry, timeout) {
            Ok(0) | Err(Errno::EINTR) => None,
            // A failing poll must not become a loop without a pause.
            Err(_) => {
                std::thread::sleep(limit);
                None
            }
            Ok(_) => {
                let info = self.waiting.read_signal().ok().flatten()?;
                Signal::try_from(info.ssi_signo as i32).ok()
            }
        }
    }

    /// Restores the signals' effect. A signal that arrived meanwhile takes effect now.
    pub(super) fn give_back(self) {
        // If the mask cannot be restored, it only blocks signals that the master reads anyway.
        let _ = self.before.thread_set_mask();
    }
}
