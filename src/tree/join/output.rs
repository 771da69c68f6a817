//! The taps: what the program writes passes through the debugger, which shows it and sends it where it went before.

use nix::pty::openpty;
use nix::sys::termios::{SetArg, cfmakeraw, tcgetattr, tcsetattr};
use nix::unistd::{dup2_stderr, dup2_stdout, isatty};
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};

/// One output, prepared: nothing is redirected yet.
#[derive(Debug)]
pub(super) struct Tap {
    /// For the program.
    write: OwnedFd,
    /// For the debugger.
    pub(super) read: OwnedFd,
    /// Where it goes now, for the debugger too.
    pub(super) before: OwnedFd,
}

impl Tap {
    /// A terminal stays a terminal (the program buffers by lines then), anything else becomes a pipe. `None` when the
    /// output is closed.
    pub(super) fn of(output: BorrowedFd<'_>) -> io::Result<Option<Self>> {
        let before = match output.try_clone_to_owned() {
            Ok(before) => before,
            Err(error) if error.raw_os_error() == Some(nix::errno::Errno::EBADF as i32) => return Ok(None),
            Err(error) => return Err(error),
        };
        let (read, write) = if isatty(output).unwrap_or(false) {
            let pty = openpty(None, None)?;
            // The real terminal at the end translates lines; twice would be once too often.
            let mut settings = tcgetattr(&pty.slave)?;
            cfmakeraw(&mut settings);
            tcsetattr(&pty.slave, SetArg::TCSANOW, &settings)?;
            (pty.master, pty.slave)
        } else {
            nix::unistd::pipe2(nix::fcntl::OFlag::O_CLOEXEC)?
        };
        Ok(Some(Self { write, read, before }))
    }

    /// Makes it the standard output of this process.
    pub(super) fn become_stdout(&self) -> io::Result<()> {
        Ok(dup2_stdout(&self.write)?)
    }

    /// Makes it the standard error of this process.
    pub(super) fn become_stderr(&self) -> io::Result<()> {
        Ok(dup2_stderr(&self.write)?)
    }

    /// The files to hand over, in order.
    pub(super) fn files(&self) -> [BorrowedFd<'_>; 2] {
        [self.read.as_fd(), self.before.as_fd()]
    }
}
