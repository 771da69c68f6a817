//! Connecting and listening. A Unix socket is trusted by its peer's user ID, a TCP socket by proof of the session key;
//! both yield a [`Connection`] that has exchanged HELLO.

use super::keepalive::{IN_JOB, OF_FRONT_END};
use super::secure::{self, Side};
use crate::{Connection, GreetError, HandshakeError, Hello, HelloError, ProtocolError, Role, SessionKey, own_file};
use futures::future::select_ok;
use std::io;
use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr};
use std::os::unix::fs::FileTypeExt;
use std::path::{Path, PathBuf};
use std::time::Duration;
use tokio::net::{TcpListener, TcpSocket, TcpStream, UnixListener, UnixStream};
use tokio::time::timeout;

/// A peer must be through handshake and HELLO in this time, and a host must answer a dial.
const HANDSHAKE_LIMIT: Duration = Duration::from_secs(10);
/// The servers of a job may all come at once (listen(2)).
const BACKLOG: u32 = 1024;
/// Why there is no link.
#[derive(Debug, thiserror::Error)]
pub enum LinkError {
    /// Nobody there, or not for us.
    #[error("cannot connect to {address}: {source}")]
    Dial {
        /// Where to.
        address: String,
        /// What the system says.
        source: io::Error,
    },
    /// No place to listen.
    #[error("cannot listen on {address}: {source}")]
    Listen {
        /// Where.
        address: String,
        /// What the system says.
        source: io::Error,
    },
    /// Another process listens there.
    #[error("cannot listen on {address}: another process of the session already does")]
    InUse {
        /// Where.
        address: String,
    },
    /// The listener failed.
    #[error("cannot accept connections on {address}: {source}")]
    Accept {
        /// Where.
        address: String,
        /// What the system says.
        source: io::Error,
    },
    /// The other end of a Unix socket is somebody else's.
    #[error("refused the process at {peer}: it belongs to user {uid}, not to you")]
    Stranger {
        /// Which socket.
        peer: String,
        /// Its effective user.
        uid: u32,
    },
    /// The channel could not be made.
    #[error("{peer}: {source}")]
    Handshake {
        /// Who.
        peer: String,
        /// Why.
        source: HandshakeError,
    },
    /// The peer does not fit.
    #[error("{peer}: {source}")]
    Greeting {
        /// Who.
        peer: String,
        /// Why.
        source: GreetError,
    },
    /// The peer is silent.
    #[error("{peer}: no reply within {limit:?}")]
    Silent {
        /// Who.
        peer: String,
        /// How long it was waited for.
        limit: Duration,
    },
}

impl LinkError {
    /// The peer went by itself before it had said anything wrong: who dials several addresses of a host leaves all but
    /// one, and who only looks whether anybody listens says nothing.
    pub fn is_departure(&self) -> bool {
        let cut =
            |error: &io::Error| matches!(error.kind(), io::ErrorKind::ConnectionReset | io::ErrorKind::BrokenPipe);
        match self {
            Self::Handshake { source: HandshakeError::Io(error), .. }
            | Self::Greeting { source: GreetError::Protocol(ProtocolError::Io(error)), .. } => cut(error),
            Self::Handshake { source: HandshakeError::Closed, .. }
            | Self::Greeting { source: GreetError::Hello(HelloError::Closed), .. } => true,
            _ => false,
        }
    }
}

/// Connects to a Unix socket of ours.
pub async fn dial_unix(path: &Path, own: &Hello) -> Result<Connection, LinkError> {
    let address = path.display().to_string();
    let dial = |source| LinkError::Dial { address: address.clone(), source };
    let stream = within(HANDSHAKE_LIMIT, &address, UnixStream::connect(path)).await?.map_err(dial)?;
    Arrival { stream: Stream::Unix(stream), peer: address }.establish(None, own).await
}

/// Connects to `host:port` and proves the key. Of several addresses, with commas between, the first to answer and to know
/// the key is taken: not all of a host's can be reached from everywhere, and some may be somebody else's there.
pub async fn dial_tcp(addresses: &str, key: &SessionKey, own: &Hello) -> Result<Connection, LinkError> {
    let dials = addresses.split(',').map(|address| Box::pin(dial_one(address, key, own)));
    select_ok(dials).await.map(|(connection, _)| connection)
}

async fn dial_one(address: &str, key: &SessionKey, own: &Hello) -> Result<Connection, LinkError> {
    let dial = |source| LinkError::Dial { address: address.to_owned(), source };
    let stream = within(HANDSHAKE_LIMIT, address, TcpStream::connect(address)).await?.map_err(dial)?;
    let peer = address.to_owned();
    within(HANDSHAKE_LIMIT, address, Arrival { stream: Stream::Tcp(stream), peer }.meet(Some(key), own, Side::Dialer))
        .await?
}

async fn within<T>(limit: Duration, peer: &str, work: impl Future<Output = T>) -> Result<T, LinkError> {
    timeout(limit, work).await.map_err(|_| LinkError::Silent { peer: peer.to_owned(), limit })
}

enum Socket {
    Unix(UnixListener, PathBuf),
    Tcp(TcpListener, SocketAddr),
}

/// A place where peers arrive.
pub struct Listener {
    socket: Socket,
}

impl Listener {
    /// On a Unix socket that only we can reach. The remains of a dead listener are replaced. The socket goes with the
    /// listener.
    pub async fn unix(path: &Path) -> Result<Self, LinkError> {
        let address = || path.display().to_string();
        let fault = |source| LinkError::Listen { address: address(), source };
        if path.symlink_metadata().is_ok_and(|there| there.file_type().is_socket()) {
            match UnixStream::connect(path).await {
                Ok(_) => return Err(LinkError::InUse { address: address() }),
                Err(error) if error.kind() == io::ErrorKind::ConnectionRefused => {
                    std::fs::remove_file(path).map_err(fault)?;
                }
                Err(_) => {}
            }
        }
        let listener = UnixListener::bind(path).map_err(fault)?;
        own_file::close_to_others(path).map_err(fault)?;
        Ok(Self { socket: Socket::Unix(listener, path.to_owned()) })
    }

    /// On `host:port`; port 0 lets the system choose.
    pub async fn tcp(address: &str) -> Result<Self, LinkError> {
        let fault = |source| LinkError::Listen { address: address.to_owned(), source };
        let listener = TcpListener::bind(address).await.map_err(fault)?;
        let local = listener.local_addr().map_err(fault)?;
        Ok(Self { socket: Socket::Tcp(listener, local) })
    }

    /// On all addresses of this host, of both families where it has them; port 0 lets the system choose.
    pub fn everywhere(port: u16) -> Result<Self, LinkError> {
        let fault = |source| LinkError::Listen { address: format!("port {port}"), source };
        let bind = |socket: io::Result<TcpSocket>, address: SocketAddr| {
            let socket = socket?;
            socket.set_reuseaddr(true)?;
            socket.bind(address)?;
            socket.listen(BACKLOG)
        };
        let both = bind(TcpSocket::new_v6(), SocketAddr::from((Ipv6Addr::UNSPECIFIED, port)));
        let listener = both.or_else(|_| bind(TcpSocket::new_v4(), SocketAddr::from((Ipv4Addr::UNSPECIFIED, port))));
        let listener = listener.map_err(fault)?;
        let local = listener.local_addr().map_err(fault)?;
        Ok(Self { socket: Socket::Tcp(listener, local) })
    }

    /// The port listened on; `None` for a Unix socket.
    pub fn port(&self) -> Option<u16> {
        match &self.socket {
            Socket::Unix(..) => None,
            Socket::Tcp(_, address) => Some(address.port()),
        }
    }

    /// The next to arrive, not yet known. What it needs to prove itself is waited for by [`Arrival::establish`], in a
    /// task of its own, so that a silent one keeps nobody else out. May be given up at any await.
    pub async fn accept(&self) -> Result<Arrival, LinkError> {
        let (stream, peer) = match &self.socket {
            Socket::Unix(listener, path) => {
                let address = path.display().to_string();
                let accepted = listener.accept().await;
                let (stream, _) = accepted.map_err(|source| LinkError::Accept { address: address.clone(), source })?;
                (Stream::Unix(stream), address)
            }
            Socket::Tcp(listener, address) => {
                let accepted = listener.accept().await;
                let (stream, peer) =
                    accepted.map_err(|source| LinkError::Accept { address: address.to_string(), source })?;
                (Stream::Tcp(stream), peer.to_string())
            }
        };
        Ok(Arrival { stream, peer })
    }
}

impl Drop for Listener {
    fn drop(&mut self) {
        if let Socket::Unix(_, path) = &self.socket {
            // Somebody may have cleaned up already.
            let _ = std::fs::remove_file(path);
        }
    }
}

enum Stream {
    Unix(UnixStream),
    Tcp(TcpStream),
}

/// Somebody at the door.
pub struct Arrival {
    stream: Stream,
    peer: String,
}

impl Arrival {
    /// Where it comes from.
    pub fn peer(&self) -> &str {
        &self.peer
    }

    /// Lets it prove itself and say HELLO, for at most ten seconds. The key is that of the session; without one, only
    /// Unix sockets are let in.
    pub async fn establish(self, key: Option<&SessionKey>, own: &Hello) -> Result<Connection, LinkError> {
        self.establish_in(HANDSHAKE_LIMIT, key, own).await
    }

    async fn establish_in(
        self,
        limit: Duration,
        key: Option<&SessionKey>,
        own: &Hello,
    ) -> Result<Connection, LinkError> {
        let peer = self.peer.clone();
        within(limit, &peer, self.meet(key, own, Side::Listener)).await?
    }

    async fn meet(self, key: Option<&SessionKey>, own: &Hello, side: Side) -> Result<Connection, LinkError> {
        let Self { stream, peer } = self;
        let mut connection = match stream {
            Stream::Unix(stream) => {
                let uid = stream.peer_cred().map(|peer| peer.uid());
                let uid = uid.map_err(|source| LinkError::Dial { address: peer.clone(), source })?;
                if uid != 0 && uid != nix::unistd::geteuid().as_raw() {
                    return Err(LinkError::Stranger { peer, uid });
                }
                let (reader, writer) = stream.into_split();
                Connection::new(reader, writer, &peer)
            }
            Stream::Tcp(mut stream) => {
                // A master accepts servers, and dials front ends.
                let in_job = matches!(own.role, Role::Server | Role::Parent)
                    || (own.role == Role::Master && side == Side::Listener);
                let keepalive = if in_job { IN_JOB } else { OF_FRONT_END };
                keepalive.tune(&stream).map_err(|source| LinkError::Dial { address: peer.clone(), source })?;
                let Some(key) = key else {
                    return Err(LinkError::Handshake { peer, source: HandshakeError::NoKey });
                };
                let channel = secure::handshake(&mut stream, key, side).await;
                let channel = channel.map_err(|source| LinkError::Handshake { peer: peer.clone(), source })?;
                let (reader, writer) = stream.into_split();
                let reader = Box::new(keepalive.watch(reader));
                Connection::build(reader, Box::new(writer), Some((channel, keepalive.beat)), &peer)
            }
        };
        connection.greet(own).await.map_err(|source| LinkError::Greeting { peer, source })?;
        Ok(connection)
    }
}

#[cfg(test)]
mod tests;
