//! Connections that are not authenticated yet. Their number is limited: a flood of them costs neither memory nor
//! descriptors, and keeps out nobody who has the key.

use super::log_rate_limit::LogRateLimit;
use crate::{Arrival, Connection, Hello, HelloError, LinkError, Listener, Role, SessionKey};
use std::collections::VecDeque;
use std::future::pending;
use std::time::{Duration, Instant};
use tokio::task::{AbortHandle, JoinSet};
use tokio::time::sleep_until;

/// The largest number of connections that wait for authentication.
const PLACES: usize = 256;
/// When all places are taken, a connection not authenticated in this time makes room. With the key it takes one round
/// trip.
const PATIENCE_IN_A_CROWD: Duration = Duration::from_millis(250);
/// The pause after a failed accept, for example without free file descriptors.
const REST: Duration = Duration::from_millis(200);

/// The outcome of connections.
pub enum Visit {
    /// A connection that is authenticated.
    Welcome(Connection),
    /// Refused connections, as a sentence for the log; at most a few in ten seconds.
    Refused(String),
    /// Connections that the peer closed, as a sentence for the log; at most a few in ten seconds.
    Left(String),
}

/// The conditions under which a peer is accepted.
#[derive(Clone, Debug)]
pub struct Pass {
    /// The key of the session; without it only Unix sockets are accepted.
    pub key: Option<SessionKey>,
    /// The HELLO sent to the peer.
    pub hello: Hello,
    /// The role that the peer must have.
    pub expected: Role,
}

/// A listener and the connections that it is authenticating.
pub struct PendingConnections {
    listener: Listener,
    pass: Pass,
    meetings: JoinSet<Result<Connection, LinkError>>,
    /// The oldest first.
    waiting: VecDeque<Waiting>,
    resting: Option<Instant>,
    refused: LogRateLimit,
    left: LogRateLimit,
}

struct Waiting {
    since: Instant,
    peer: String,
    task: AbortHandle,
}

impl PendingConnections {
    /// Starts without connections.
    pub fn new(listener: Listener, pass: Pass) -> Self {
        let (meetings, waiting, resting, refused, left) = Default::default();
        Self { listener, pass, meetings, waiting, resting, refused, left }
    }

    /// Waits for the next connection that is authenticated or refused. Cancel safe.
    pub async fn next(&mut self) -> Visit {
        loop {
            let crowded = self.meetings.len() >= PLACES;
            let oldest = self.waiting.front().map(|waiting| waiting.since + PATIENCE_IN_A_CROWD);
            let refused = tokio::select! {
                Some(outcome) = self.meetings.join_next() => {
                    self.waiting.retain(|waiting| !waiting.task.is_finished());
                    match outcome {
                        Ok(Ok(connection)) => return Visit::Welcome(connection),
                        Ok(Err(error)) if error.is_departure() => {
                            if let Some(words) = self.left.note(Instant::now(), error.to_string()) {
                                return Visit::Left(words);
                            }
                            None
                        }
                        Ok(Err(error)) => Some(error.to_string()),
                        // A connection that was refused and reported already.
                        Err(_) => None,
                    }
                }
                arrival = self.listener.accept(), if !crowded && self.resting.is_none() => match arrival {
                    Ok(arrival) => {
                        self.admit(arrival);
                        None
                    }
                    Err(error) => {
                        self.resting = Some(Instant::now() + REST);
                        // The pending connections hold descriptors that are needed now.
                        let left = self.make_room();
                        Some(left.map_or_else(|| error.to_string(), |left| format!("{error}; {left}")))
                    }
                },
                () = until(oldest), if crowded => self.make_room(),
                () = until(self.resting), if self.resting.is_some() => {
                    self.resting = None;
                    None
                }
                () = until(self.refused.due()) => {
                    if let Some(words) = self.refused.summary(Instant::now()) {
                        return Visit::Refused(words);
                    }
                    None
                }
                () = until(self.left.due()) => {
                    if let Some(words) = self.left.summary(Instant::now()) {
                        return Visit::Left(words);
                    }
                    None
                }
            };
            if let Some(words) = refused.and_then(|words| self.refused.note(Instant::now(), words)) {
                return Visit::Refused(words);
            }
        }
    }

    fn admit(&mut self, arrival: Arrival) {
        let (peer, pass) = (arrival.peer().to_owned(), self.pass.clone());
        let task = self.meetings.spawn(async move {
            let connection = arrival.establish(pass.key.as_ref(), &pass.hello).await?;
            expect_role(connection, pass.expected)
        });
        self.waiting.push_back(Waiting { since: Instant::now(), peer, task });
    }

    /// Closes the connections that have used up their time.
    fn make_room(&mut self) -> Option<String> {
        let now = Instant::now();
        let late = self.waiting.partition_point(|waiting| waiting.since + PATIENCE_IN_A_CROWD <= now);
        let late: Vec<_> = self.waiting.drain(..late).collect();
        late.iter().for_each(|waiting| waiting.task.abort());
        let last = late.last()?;
        Some(format!(
            "{}: closed {} connections that have not completed the handshake, to make room",
            last.peer,
            late.len()
        ))
    }
}

async fn until(moment: Option<Instant>) {
    match moment {
        Some(moment) => sleep_until(moment.into()).await,
        None => pending().await,
    }
}

/// Returns the connection if its peer has the wanted role.
pub fn expect_role(connection: Connection, wanted: Role) -> Result<Connection, LinkError> {
    match connection.hello().map(|hello| hello.role) {
        Some(found) if found != wanted => {
            let source = HelloError::Role { found, wanted }.into();
            Err(LinkError::Greeting { peer: connection.peer().to_owned(), source })
        }
        _ => Ok(connection),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dial_tcp;
    use tokio::net::TcpStream;

    async fn door() -> (PendingConnections, String, SessionKey) {
        let key = SessionKey::generate().unwrap();
        let listener = Listener::tcp("127.0.0.1:0").await.unwrap();
        let address = format!("127.0.0.1:{}", listener.port().unwrap());
        let pass = Pass { key: Some(key.clone()), hello: Hello::new(Role::Master), expected: Role::Server };
        (PendingConnections::new(listener, pass), address, key)
    }

    #[tokio::test]
    async fn a_crowd_that_says_nothing_makes_room_for_who_has_the_key() {
        let (mut door, address, key) = door().await;
        let dialler = tokio::spawn(async move {
            let mut silent = Vec::new();
            for _ in 0..=PLACES {
                silent.push(TcpStream::connect(&address).await.unwrap());
            }
            (dial_tcp(&address, &key, &Hello::new(Role::Server)).await, silent)
        });
        let (mut told, mut most) = (Vec::new(), 0);
        let connection = loop {
            match door.next().await {
                Visit::Welcome(connection) => break connection,
                Visit::Refused(words) | Visit::Left(words) => told.push(words),
            }
            most = most.max(door.meetings.len());
        };
        assert_eq!(connection.hello().unwrap().role, Role::Server);
        assert!(most <= PLACES && door.waiting.len() <= PLACES, "{most}");
        assert!(told.iter().any(|words| words.contains("to make room")), "{told:?}");
        dialler.await.unwrap().0.unwrap();
    }

    #[tokio::test]
    async fn who_has_the_key_and_is_something_else_is_refused() {
        let (mut door, address, key) = door().await;
        let dialler = tokio::spawn(async move { dial_tcp(&address, &key, &Hello::new(Role::FrontEnd)).await });
        let Visit::Refused(words) = door.next().await else { panic!("let in") };
        assert!(words.contains("connected to a front-end, expected a server"), "{words}");
        drop(dialler);
    }
}
