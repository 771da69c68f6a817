//! Links of the base dialect: plain TCP, so on the loopback interface only unless the user says `--plain`.

use crate::Connection;
use crate::links::keepalive::OF_FRONT_END;
use std::io;
use std::net::SocketAddr;
use tokio::net::{TcpListener, TcpStream, lookup_host};

/// The reasons why there is no plain link.
#[derive(Debug, thiserror::Error)]
pub enum PlainError {
    /// The address is reachable from other hosts, which could listen in and take part.
    #[error(
        "{0} is not on the loopback interface, and the base dialect is neither encrypted nor authenticated: add \
         --plain if everybody who can reach it may debug this job"
    )]
    Exposed(SocketAddr),
    /// A network call failed.
    #[error("cannot {what} {address}: {source}")]
    Io {
        /// The action that failed.
        what: &'static str,
        /// The address.
        address: String,
        /// The system's error.
        source: io::Error,
    },
}

fn fault(what: &'static str, address: &str) -> impl FnOnce(io::Error) -> PlainError {
    let address = address.to_owned();
    move |source| PlainError::Io { what, address, source }
}

/// Resolves `host:port`; fails unless all addresses are allowed.
async fn resolve(address: &str, plain: bool) -> Result<Vec<SocketAddr>, PlainError> {
    let found: Vec<_> = lookup_host(address).await.map_err(fault("find", address))?.collect();
    match found.iter().find(|address| !plain && !address.ip().is_loopback()) {
        Some(exposed) => Err(PlainError::Exposed(*exposed)),
        None => Ok(found),
    }
}

/// A listener for a single client of the base dialect.
#[derive(Debug)]
pub struct PlainListener {
    listener: TcpListener,
    address: SocketAddr,
}

impl PlainListener {
    /// Listens on `host:port`; with port 0 the system chooses.
    pub async fn bind(address: &str, plain: bool) -> Result<Self, PlainError> {
        let found = resolve(address, plain).await?;
        let listener = TcpListener::bind(&found[..]).await.map_err(fault("listen on", address))?;
        let address = listener.local_addr().map_err(fault("listen on", address))?;
        Ok(Self { listener, address })
    }

    /// Returns the address on which it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Accepts the client; no other is accepted after it.
    pub async fn accept(self) -> Result<Connection, PlainError> {
        let accepted = self.listener.accept().await;
        let (stream, peer) = accepted.map_err(fault("accept a client on", &self.address.to_string()))?;
        connection(stream, &peer.to_string())
    }
}

/// Connects to a client that listens, as the front ends of the old program do.
pub async fn dial_plain(address: &str, plain: bool) -> Result<Connection, PlainError> {
    let found = resolve(address, plain).await?;
    let stream = TcpStream::connect(&found[..]).await.map_err(fault("connect to", address))?;
    connection(stream, address)
}

fn connection(stream: TcpStream, peer: &str) -> Result<Connection, PlainError> {
    OF_FRONT_END.tune(&stream).map_err(fault("set up the link to", peer))?;
    let (reader, writer) = stream.into_split();
    Ok(Connection::new(OF_FRONT_END.watch(reader), writer, peer))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Packet;
    use model::TransactionId;

    #[tokio::test]
    async fn only_the_loopback_interface_without_a_word() {
        for address in ["0.0.0.0:0", "192.0.2.1:4000", "[::]:0"] {
            let refused = PlainListener::bind(address, false).await.unwrap_err();
            assert!(refused.to_string().contains("add --plain"), "{refused}");
            assert!(matches!(dial_plain(address, false).await, Err(PlainError::Exposed(_))));
        }
        PlainListener::bind("0.0.0.0:0", true).await.unwrap();
    }

    #[tokio::test]
    async fn packets_cross_and_one_client_is_let_in() {
        let listener = PlainListener::bind("127.0.0.1:0", false).await.unwrap();
        let address = listener.address().to_string();
        let (one, two) = tokio::join!(dial_plain(&address, false), listener.accept());
        let (mut one, mut two) = (one.unwrap(), two.unwrap());
        let quit = Packet::new(0, TransactionId(5));
        one.send_packet(&quit).await.unwrap();
        assert_eq!(two.receive_packet().await.unwrap(), Some(quit));
        assert!(matches!(dial_plain(&address, false).await, Err(PlainError::Io { what: "connect to", .. })));
    }
}
