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

/// The limit for handshake and HELLO, and for a host to answer a connection attempt.
const HANDSHAKE_LIMIT: Duration = Duration::from_secs(10);
/// All servers of a job may connect at once (listen(2)).
const BACKLOG: u32 = 1024;
/// The reasons why there is no link.
#[derive(Debug, thiserror::Error)]
pub enum LinkError {
    /// The connection was not accepted.
    #[error("cannot connect to {address}: {source}")]
    Dial {
        /// The address dialled.
        address: String,
        /// The system's error.
        source: io::Error,
    },
    /// Listening failed.
    #[error("cannot listen on {address}: {source}")]
    Listen {
        /// The address or the socket's path.
        address: String,
        /// The system's error.
        source: io::Error,
    },
    /// Another process listens on the address.
    #[error("cannot listen on {address}: another process of the session already does")]
    InUse {
        /// The socket's path.
        address: String,
    },
    /// Accepting a connection failed.
    #[error("cannot accept connections on {address}: {source}")]
    Accept {
        /// The listener's address.
        address: String,
        /// The system's error.
        source: io::Error,
    },
    /// The other end of a Unix socket belongs to another user.
    #[error("refused the process at {peer}: it belongs to user {uid}, not to you")]
    Stranger {
        /// The name of the peer's socket.
        peer: String,
        /// The peer's effective user id.
        uid: u32,
    },
    /// The encrypted channel could not be set up.
    #[error("{peer}: {source}")]
    Handshake {
        /// The peer's address.
        peer: String,
        /// The cause.
        source: HandshakeError,
    },
    /// HELLO failed, or the peer has another version or role.
    #[error("{peer}: {source}")]
    Greeting {
        /// The peer's address.
        peer: String,
        /// The cause.
        source: GreetError,
    },
    /// The peer did not reply in time.
    #[error("{peer}: no reply within {limit:?}")]
    Silent {
        /// The peer's address.
        peer: String,
        /// The time waited.
        limit: Duration,
    },
}

impl LinkError {
    /// True if the peer left before it sent anything wrong: a client that dials several addresses of a host drops all
    /// but one link, and a probe for a listener sends nothing.
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

/// Connects to a Unix socket of this user.
pub async fn dial_unix(path: &Path, own: &Hello) -> Result<Connection, LinkError> {
    let address = path.display().to_string();
    let dial = |source| LinkError::Dial { address: address.clone(), source };
    let stream = within(HANDSHAKE_LIMIT, &address, UnixStream::connect(path)).await?.map_err(dial)?;
    Arrival { stream: Stream::Unix(stream), peer: address }.establish(None, own).await
}

/// Connects to `host:port` and proves the key. Of several addresses, separated by commas, takes the first that answers
/// and knows the key: some may be unreachable from here, and some may lead to another process.
pub async fn dial_tcp(addresses: &str, key: &SessionKey, own: &Hello) -> Result<Connection, LinkError> {
    let patience = DialPatience { connect: HANDSHAKE_LIMIT, reply: HANDSHAKE_LIMIT };
    dial_tcp_within(addresses, key, own, patience).await
}

/// Time limits of a dialler.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DialPatience {
    /// For the peer's host to accept the connection. Its kernel does that, whatever the process is doing.
    pub connect: Duration,
    /// From then on, for the process: it may have many others to welcome first.
    pub reply: Duration,
}

/// Like [`dial_tcp`], with other limits.
pub async fn dial_tcp_within(
    addresses: &str,
    key: &SessionKey,
    own: &Hello,
    patience: DialPatience,
) -> Result<Connection, LinkError> {
    let dials = addresses.split(',').map(|address| Box::pin(dial_one(address, key, own, patience)));
    select_ok(dials).await.map(|(connection, _)| connection)
}

async fn dial_one(
    address: &str,
    key: &SessionKey,
    own: &Hello,
    patience: DialPatience,
) -> Result<Connection, LinkError> {
    let dial = |source| LinkError::Dial { address: address.to_owned(), source };
    let stream = within(patience.connect, address, TcpStream::connect(address)).await?.map_err(dial)?;
    let peer = address.to_owned();
    within(patience.reply, address, Arrival { stream: Stream::Tcp(stream), peer }.meet(Some(key), own, Side::Dialer))
        .await?
}

async fn within<T>(limit: Duration, peer: &str, work: impl Future<Output = T>) -> Result<T, LinkError> {
    timeout(limit, work).await.map_err(|_| LinkError::Silent { peer: peer.to_owned(), limit })
}

enum Socket {
    Unix(UnixListener, PathBuf),
    Tcp(TcpListener, SocketAddr),
}

/// A listening socket.
pub struct Listener {
    socket: Socket,
}

impl Listener {
    /// Listens on a Unix socket that only this user can reach; replaces the socket of a dead listener. Dropping the
    /// listener removes the socket.
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

    /// Listens on `host:port`; with port 0 the system chooses.
    pub async fn tcp(address: &str) -> Result<Self, LinkError> {
        let fault = |source| LinkError::Listen { address: address.to_owned(), source };
        let listener = TcpListener::bind(address).await.map_err(fault)?;
        let local = listener.local_addr().map_err(fault)?;
        Ok(Self { socket: Socket::Tcp(listener, local) })
    }

    /// Listens on all addresses of this host, IPv4 and IPv6 where it has them; with port 0 the system chooses.
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

    /// Returns the TCP port; `None` for a Unix socket.
    pub fn port(&self) -> Option<u16> {
        match &self.socket {
            Socket::Unix(..) => None,
            Socket::Tcp(_, address) => Some(address.port()),
        }
    }

    /// Returns the next connection, not yet authenticated. [`Arrival::establish`] does that in a task of its own, so
    /// that a silent peer keeps nobody else out. Cancel safe.
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
            // Another process may have removed it already.
            let _ = std::fs::remove_file(path);
        }
    }
}

enum Stream {
    Unix(UnixStream),
    Tcp(TcpStream),
}

/// An accepted connection, not yet authenticated.
pub struct Arrival {
    stream: Stream,
    peer: String,
}

impl Arrival {
    /// Returns the peer's address.
    pub fn peer(&self) -> &str {
        &self.peer
    }

    /// Authenticates the peer and exchanges HELLO, within ten seconds. `key` is the key of the session; without it only
    /// Unix sockets are accepted.
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
                // A master accepts servers and dials front ends.
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
