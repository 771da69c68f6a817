//! Signals to one thread.

use nix::libc;

/// Sends a signal by tgkill(2); a thread that is gone is ignored.
pub(crate) fn send_signal(process: i32, tid: i32, signal: i32) {
    #[expect(unsafe_code, reason = "nix has no tgkill")]
    // SAFETY: the system call takes numbers only.
    unsafe {
        libc::syscall(libc::SYS_tgkill, process, tid, signal);
    }
}
