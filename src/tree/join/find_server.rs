//! The server of this node: found by its socket, or started under a lock, by whoever comes first.

use super::meeting::Here;
use super::run::JoinError;
use crate::protocol::ServerIndex;
use crate::tree::join_plan::JoinPlan;
use crate::tree::master::ServerCommand;
use nix::fcntl::{Flock, FlockArg};
use std::fs::OpenOptions;
use std::io;
use std::os::unix::net::UnixStream;
use std::process::Command;
use std::time::{Duration, Instant};

/// A server that was started listens within this time.
const START_LIMIT: Duration = Duration::from_secs(20);
const POLL: Duration = Duration::from_millis(5);

/// Connects to the server, which is started when it is not there.
pub(super) fn connect(here: &Here, plan: &JoinPlan, index: ServerIndex, size: u32) -> Result<UnixStream, JoinError> {
    let directory = &here.directory;
    let socket = directory.server_socket(index.0);
    if let Ok(stream) = UnixStream::connect(&socket) {
        return Ok(stream);
    }
    let path = directory.path().join(format!("server-{}.lock", index.0));
    let io = |what: String| move |source: io::Error| JoinError::Io { what, source };
    let lock = OpenOptions::new().create(true).append(true).open(&path);
    let lock = lock.map_err(io(format!("open {}", path.display())))?;
    // Released when it goes out of scope, by then somebody listens.
    let _held = Flock::lock(lock, FlockArg::LockExclusive)
        .map_err(|(_, errno)| JoinError::Io { what: format!("lock {}", path.display()), source: errno.into() })?;
    if let Ok(stream) = UnixStream::connect(&socket) {
        return Ok(stream);
    }
    start(here, plan, index, size).map_err(io("start a server".to_owned()))?;
    let end = Instant::now() + START_LIMIT;
    loop {
        match UnixStream::connect(&socket) {
            Ok(stream) => return Ok(stream),
            Err(_) if Instant::now() < end => std::thread::sleep(POLL),
            Err(source) => {
                let log = directory.log(&format!("server-{}", index.0));
                let what = format!("reach the server of this node, which was just started (see {})", log.display());
                return Err(JoinError::Io { what, source });
            }
        }
    }
}

/// By way of a process that ends at once: the program must not find a child that it did not start.
fn start(here: &Here, plan: &JoinPlan, index: ServerIndex, size: u32) -> io::Result<()> {
    let server = ServerCommand {
        directory: &here.directory,
        size,
        master: &plan.master,
        listen: &plan.listen,
        engine: &plan.engine,
        shape: plan.shape,
        routing_file: plan.routing_file.as_deref(),
        own_directory: here.own,
    };
    let command: Command = server.command(index)?;
    let mut between = Command::new(command.get_program());
    between.args(command.get_args()).arg("--apart");
    server.quiet(&mut between, index)?;
    let status = between.status()?;
    if status.success() { Ok(()) } else { Err(io::Error::other(format!("it ended with {status}"))) }
}
