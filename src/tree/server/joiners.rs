//! The socket to which joiners connect.

use crate::error::{TreeError, io_fault};
use crate::join::message::{JoinOffer, JoinReply, LONGEST};
use crate::join::plan::JoinPlan;
use engine::OutputTap;
use engine::handover::files::receive_files;
use model::{LaunchSpec, Rank};
use protocol::{ServerIndex, SessionDirectory, own_file};
use std::io::{self, Write};
use std::os::fd::OwnedFd;
use std::os::unix::net::{UnixListener, UnixStream};
use std::time::Duration;
use tokio::sync::oneshot;

/// Time for a joiner to send its offer.
const OFFER_LIMIT: Duration = Duration::from_secs(10);

/// A process that asks to become a rank.
#[derive(Debug)]
pub(super) struct JoinRequest {
    pub(super) rank: Rank,
    pub(super) size: u32,
    pub(super) pid: i32,
    pub(super) spec: LaunchSpec,
    pub(super) stdout: Option<OutputTap>,
    pub(super) stderr: Option<OutputTap>,
    pub(super) ready: oneshot::Sender<Result<(), String>>,
}

/// An offer of a joiner, or its failure.
#[derive(Debug)]
pub(super) enum JoinNews {
    /// A process asks to become a rank.
    Offered(JoinRequest),
    /// The engine refused the process.
    Refused {
        /// The rank that it claims.
        rank: Rank,
        pid: i32,
        /// The engine's reason.
        why: String,
    },
}

/// Listens in threads of its own: joiners send descriptors, which only blocking calls receive. `tell` returns false if
/// nobody wants joiners any more.
pub(super) fn accept_joiners(
    server: ServerIndex,
    directory: &SessionDirectory,
    tell: impl Fn(JoinNews) -> bool + Clone + Send + 'static,
) -> Result<(), TreeError> {
    let path = directory.server_socket(server.0);
    let fault = || io_fault(format!("listen on {}", path.display()));
    // An earlier server of this number has left it behind.
    match std::fs::remove_file(&path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(fault()(error)),
        _ => {}
    }
    let listener = UnixListener::bind(&path).map_err(fault())?;
    own_file::close_to_others(&path).map_err(fault())?;
    let directory = directory.clone();
    let accept = move || {
        for stream in listener.incoming() {
            let Ok(stream) = stream else {
                std::thread::sleep(Duration::from_millis(100));
                continue;
            };
            let (tell, directory) = (tell.clone(), directory.clone());
            let meet = move || {
                if let Err(error) = meet(&stream, &directory, tell) {
                    tracing::warn!("refused a joiner: {error}");
                }
            };
            if let Err(error) = std::thread::Builder::new().name("joiner".into()).spawn(meet) {
                tracing::error!("cannot start a thread for a joiner: {error}");
            }
        }
    };
    std::thread::Builder::new().name("joiners".into()).spawn(accept).map_err(io_fault("start a thread for joiners"))?;
    Ok(())
}

fn meet(stream: &UnixStream, directory: &SessionDirectory, tell: impl Fn(JoinNews) -> bool) -> io::Result<()> {
    stream.set_read_timeout(Some(OFFER_LIMIT))?;
    let peer = nix::sys::socket::getsockopt(stream, nix::sys::socket::sockopt::PeerCredentials)?;
    if peer.uid() != 0 && peer.uid() != nix::unistd::geteuid().as_raw() {
        return Err(io::Error::other(format!("it belongs to user {}", peer.uid())));
    }
    let mut buffer = [0; LONGEST];
    let (length, files) = receive_files(stream, &mut buffer)?;
    let offer: JoinOffer = serde_json::from_slice(buffer.get(..length).unwrap_or_default())?;
    let mut files = files.into_iter();
    let mut tap = |wanted: bool| if wanted { Some(tap(&mut files)).transpose() } else { Ok(None) };
    let (stdout, stderr) = (tap(offer.stdout)?, tap(offer.stderr)?);
    let spec = JoinPlan::read(directory).map_err(io::Error::other)?.spec;
    let randomise = spec.randomise;
    let (ready, answer) = oneshot::channel();
    let (rank, size, pid) = (offer.rank, offer.size, offer.pid);
    tell(JoinNews::Offered(JoinRequest { rank, size, pid, spec, stdout, stderr, ready }));
    let reply = match answer.blocking_recv() {
        Ok(Ok(())) => JoinReply::Go { randomise },
        Ok(Err(why)) => {
            tell(JoinNews::Refused { rank, pid, why: why.clone() });
            JoinReply::Refused(why)
        }
        Err(_) => JoinReply::Ending,
    };
    let mut stream = stream;
    stream.write_all(&serde_json::to_vec(&reply)?)
}

fn tap(files: &mut impl Iterator<Item = OwnedFd>) -> io::Result<OutputTap> {
    let missing = || io::Error::other("it announced output files but sent none");
    let source = files.next().ok_or_else(missing)?;
    Ok(OutputTap { source, forward: Some(files.next().ok_or_else(missing)?) })
}
