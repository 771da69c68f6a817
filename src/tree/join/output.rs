//! The taps: the program's output passes through the debugger, which shows it and forwards it to its previous target.

use nix::pty::openpty;
use nix::sys::termios::{SetArg, cfmakeraw, tcgetattr, tcsetattr};
use nix::unistd::{dup2_stderr, dup2_stdout, isatty};
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};

/// One output, prepared: nothing is redirected yet.
#[derive(Debug)]
pub(super) struct Tap {
    /// The program's end.
    write: OwnedFd,
    /// The debugger's end.
    pub(super) read: OwnedFd,
    /// The present target, which the debugger writes to.
    pub(super) before: OwnedFd,
}

impl Tap {
    /// Prepares a tap. A terminal stays a terminal (the program then buffers by lines), anything else becomes a pipe.
    /// `None` if the output is closed.
    pub(super) fn of(output: BorrowedFd<'_>) -> io::Result<Option<Self>> {
        let before = match output.try_clone_to_owned() {
            Ok(before) => before,
            Err(error) if error.raw_os_error() == Some(nix::errno::Errno::EBADF as i32) => return Ok(None),
            Err(error) => return Err(error),
        };
        let (read, write) = if isatty(output).unwrap_or(false) {
            let pty = openpty(None, None)?;
            // The real terminal at the end translates newlines; they must not be translated twice.
            let mut settings = tcgetattr(&pty.slave)?;
            cfmakeraw(&mut settings);
            tcsetattr(&pty.slave, SetArg::TCSANOW, &settings)?;
            (pty.master, pty.slave)
        } else {
            nix::unistd::pipe2(nix::fcntl::OFlag::O_CLOEXEC)?
        };
        Ok(Some(Self { write, read, before }))
    }

    /// Makes the tap the standard output of this process.
    pub(super) fn become_stdout(&self) -> io::Result<()> {
        Ok(dup2_stdout(&self.write)?)
    }

    /// Makes the tap the standard error of this process.
    pub(super) fn become_stderr(&self) -> io::Result<()> {
        Ok(dup2_stderr(&self.write)?)
    }

    /// Returns the descriptors to hand over, in order.
    pub(super) fn files(&self) -> [BorrowedFd<'_>; 2] {
        [self.read.as_fd(), self.before.as_fd()]
    }
}
