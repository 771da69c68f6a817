//! Finds the server of this node by its socket; the first joiner starts it under a lock.

use super::error::JoinError;
use super::meeting::Here;
use super::plan::JoinPlan;
use crate::master::{ServerCommand, last_log_line};
use crate::server::READY;
use nix::errno::Errno;
use nix::fcntl::{Flock, FlockArg};
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use protocol::{ServerIndex, own_file};
use std::io::{self, PipeReader, Read};
use std::os::fd::AsFd;
use std::os::unix::net::UnixStream;
use std::process::Command;
use std::time::{Duration, Instant};

/// Time limit for a started server to be ready; it may have to wait for its routing file first.
const START_LIMIT: Duration = Duration::from_secs(360);

/// Connects to the server, which is started if it is not running.
pub(super) fn connect(here: &Here, plan: &JoinPlan, index: ServerIndex, size: u32) -> Result<UnixStream, JoinError> {
    let directory = &here.directory;
    let socket = directory.server_socket(index.0);
    if let Ok(stream) = UnixStream::connect(&socket) {
        return Ok(stream);
    }
    let path = directory.path().join(format!("server-{}.lock", index.0));
    let io = |what: String| move |source: io::Error| JoinError::Io { what, source };
    let lock = own_file::append(&path);
    let lock = lock.map_err(io(format!("open {}", path.display())))?;
    // Released when it goes out of scope; the server listens by then.
    let _held = Flock::lock(lock, FlockArg::LockExclusive)
        .map_err(|(_, errno)| JoinError::Io { what: format!("lock {}", path.display()), source: errno.into() })?;
    if let Ok(stream) = UnixStream::connect(&socket) {
        return Ok(stream);
    }
    let ready = start(here, plan, index, size).map_err(io("start a server".to_owned()))?;
    await_ready(ready).map_err(|why| {
        let last = last_log_line(directory, index);
        JoinError::Refused(format!("the server of this node {why}: {last}"))
    })?;
    UnixStream::connect(&socket).map_err(io("reach the server of this node, which was just started".to_owned()))
}

/// Waits until a started server is ready. One that ends first closes the pipe.
fn await_ready(mut ready: PipeReader) -> Result<(), String> {
    let end = Instant::now() + START_LIMIT;
    loop {
        let left = end.saturating_duration_since(Instant::now());
        let timeout = PollTimeout::try_from(left).unwrap_or(PollTimeout::MAX);
        let mut wanted = [PollFd::new(ready.as_fd(), PollFlags::POLLIN)];
        match poll(&mut wanted, timeout) {
            Ok(0) => return Err(format!("was not ready within {} s", START_LIMIT.as_secs())),
            Ok(_) => break,
            Err(Errno::EINTR) => {}
            Err(errno) => return Err(format!("cannot be waited for ({errno})")),
        }
    }
    match ready.read(&mut [0; READY.len()]) {
        Ok(0) => Err("ended before it was ready".to_owned()),
        Ok(_) => Ok(()),
        Err(error) => Err(format!("cannot be read from ({error})")),
    }
}

/// Starts the server through a process that ends at once: the program must not find a child that it did not start.
fn start(here: &Here, plan: &JoinPlan, index: ServerIndex, size: u32) -> io::Result<PipeReader> {
    let server = ServerCommand {
        directory: &here.directory,
        size,
        master: &plan.master,
        listen: &plan.listen,
        ports: plan.ports,
        engine: &plan.engine,
        shape: plan.shape,
        routing_file: plan.routing_file.as_deref(),
        own_directory: here.own,
        // A server alone on its host finds the master on the loopback.
        sign: plan.meeting.as_deref().filter(|_| plan.dialling.is_down()),
    };
    let command: Command = server.command(index)?;
    let mut between = Command::new(command.get_program());
    between.args(command.get_args()).args(["--apart", "--ready"]);
    server.quiet(&mut between, index)?;
    let (reader, writer) = io::pipe()?;
    let status = between.stdin(writer).status()?;
    // Its copy of the pipe's end would hide the end of the server.
    drop(between);
    if status.success() { Ok(reader) } else { Err(io::Error::other(format!("it ended with {status}"))) }
}
