//! Accepts a request: writes the response, and waits for the master that the waiting process becomes.

use super::reception::Reception;
use super::scan::has_ended;
use super::{answer, job};
use crate::link::{LinkCarrier, SessionLink, pump};
use controller::state::ListedRequest;
use protocol::reverse::{ConnectDirectory, ConnectResponse, RequestId, host_name, own_addresses};
use protocol::{Connection, Hello, LaunchPlan, Listener, Pass, PendingConnections, Role, SessionKey, Visit};
use std::path::Path;
use std::time::Duration;
use tokio::time::{Instant, sleep, sleep_until};

/// Time limits while waiting for the process to connect.
struct Patience {
    /// Interval of checking what became of the response and, where that is visible, whether the process lives.
    look: Duration,
    /// How long a response may remain after its request is gone. A reader removes the request first and the response
    /// right after it, which may take some seconds on a busy host.
    alone: Duration,
    /// A process that has not connected within this time will not: it checks for the response twice a second and dials
    /// for half a minute.
    limit: Duration,
}

const PATIENCE: Patience =
    Patience { look: Duration::from_millis(500), alone: Duration::from_secs(10), limit: Duration::from_secs(60) };

/// A session made from a request.
#[derive(Debug)]
pub struct Accepted {
    /// The job to launch.
    pub plan: LaunchPlan,
    /// The title to show for it.
    pub title: String,
    /// The host of its process, as the request names it.
    pub host: String,
    connection: Connection,
}

impl Accepted {
    /// Starts carrying requests and replies.
    pub fn carry(self) -> SessionLink {
        let (link, carrier) = SessionLink::pair();
        tokio::spawn(carry(self.connection, carrier));
        link
    }
}

async fn carry(connection: Connection, mut carrier: LinkCarrier) {
    let (sender, mut receiver) = connection.split();
    pump(&sender, &mut receiver, &mut carrier, std::future::ready(None)).await;
    drop(carrier);
    // The last request, such as the one to end, must arrive before the link closes.
    let _ = sender.flushed().await;
}

/// Accepts a request; returns the session, or the reason why there is none.
pub(super) async fn accept(reception: &Reception, path: &Path, listed: &ListedRequest) -> Result<Accepted, String> {
    accept_within(&PATIENCE, reception, path, listed).await
}

async fn accept_within(
    patience: &Patience,
    reception: &Reception,
    path: &Path,
    listed: &ListedRequest,
) -> Result<Accepted, String> {
    if let Some(why) = listed.why_not() {
        return Err(format!("cannot accept {}: {why}", listed.id));
    }
    let plan = job::plan(listed)?;
    let key = SessionKey::generate().map_err(|error| format!("cannot make a session key: {error}"))?;
    let listener = reception.listen().map_err(|error| error.to_string())?;
    let (addresses, port) = reception.dialled(addresses(&listed.request.host), listener.port().unwrap_or_default());
    let response = ConnectResponse::Accept { host: host_name(), addresses: addresses.clone(), port, key: key.clone() };
    let directory = ConnectDirectory::open(path).map_err(|error| error.to_string())?;
    if !answer::write(&directory, listed, &response)? {
        return Err(format!("another front end has already answered {}", listed.id));
    }
    let written = Written { directory: &directory, id: &listed.id };
    let connection = tokio::select! {
        connection = first_with_key(listener, &key) => Ok(connection),
        why = given_up(patience, &directory, listed) => Err(match why {
            GivenUp::Answered => return Err(answer::gone(&listed.id)),
            GivenUp::Ended => "tvconnect ended before it connected; its output says why".to_owned(),
            GivenUp::Late => format!(
                "no connection to port {port} of {} within {} s: does a firewall block the compute nodes?",
                addresses.join(", "),
                patience.limit.as_secs()
            ),
        }),
    };
    match connection {
        Ok(connection) => Ok(Accepted { plan, title: listed.command(), host: listed.request.host.clone(), connection }),
        Err(why) => {
            let note = if written.take_back() { " (tvconnect had not read the answer)" } else { "" };
            Err(format!("accepted {}, but {why}{note}", listed.id))
        }
    }
}

/// Returns the addresses at which a process on that host can reach us, the best first.
fn addresses(host: &str) -> Vec<String> {
    let own = host_name();
    let mut found = Vec::new();
    if host == own {
        found.push("127.0.0.1".to_owned());
    }
    found.extend(own_addresses());
    // A host name helps where addresses are translated between networks.
    if !own.is_empty() {
        found.push(own);
    }
    if found.is_empty() {
        found.push("127.0.0.1".to_owned());
    }
    found
}

/// Returns the first connection that proves it has the key. Other connections do not block it.
async fn first_with_key(listener: Listener, key: &SessionKey) -> Connection {
    let pass = Pass { key: Some(key.clone()), hello: Hello::new(Role::FrontEnd), expected: Role::Master };
    let mut door = PendingConnections::new(listener, pass);
    loop {
        match door.next().await {
            Visit::Welcome(connection) => return connection,
            Visit::Refused(why) | Visit::Left(why) => tracing::warn!("connection refused: {why}"),
        }
    }
}

enum GivenUp {
    /// Another front end answered first: its response was gone, with the request, when ours was written.
    Answered,
    Ended,
    Late,
}

/// Returns when it is certain that no process will connect.
async fn given_up(patience: &Patience, directory: &ConnectDirectory, listed: &ListedRequest) -> GivenUp {
    let end = Instant::now() + patience.limit;
    let mut lay_alone = None;
    loop {
        tokio::select! {
            () = sleep_until(end) => return GivenUp::Late,
            () = sleep(patience.look) => {}
        }
        let ended = has_ended(&listed.request);
        if lies_alone(directory, &listed.id) {
            let since = *lay_alone.get_or_insert_with(Instant::now);
            if ended || since.elapsed() >= patience.alone {
                return GivenUp::Answered;
            }
        } else {
            lay_alone = None;
        }
        if ended {
            // The process may have withdrawn the request just before it ended.
            let _ = directory.remove(&listed.id.request_file());
            return GivenUp::Ended;
        }
    }
}

/// True if our response is there, and its request is not.
fn lies_alone(directory: &ConnectDirectory, id: &RequestId) -> bool {
    // Listing the directory makes a network file system refresh it.
    let names = directory.names().unwrap_or_default();
    names.contains(&id.response_file()) && !names.contains(&id.request_file())
}

/// A response in the directory. It blocks other responses and contains a key, so it is removed when nobody waits for
/// its result any more. A reader removes the response it has read.
struct Written<'a> {
    directory: &'a ConnectDirectory,
    id: &'a RequestId,
}

impl Written<'_> {
    /// Deletes the response; returns true if it had not been read.
    fn take_back(&self) -> bool {
        self.directory.remove(&self.id.response_file()).unwrap_or(false)
    }
}

impl Drop for Written<'_> {
    fn drop(&mut self) {
        self.take_back();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use protocol::dial_tcp;
    use protocol::reverse::{ConnectRequest, LARGEST_RESPONSE};
    use tokio::io::AsyncWriteExt;
    use tokio::net::TcpStream;
    use tokio::task::JoinHandle;

    /// Creates a request of another host and accepts it; returns when the response has been written, with its text.
    async fn answered(directory: &ConnectDirectory, id: &RequestId) -> (JoinHandle<Result<Accepted, String>>, Vec<u8>) {
        let request = ConnectRequest { program: "a".into(), directory: "/".into(), ..ConnectRequest::default() };
        directory.write(&id.request_file(), &request.print()).unwrap();
        let listed = ListedRequest { id: id.clone(), number: 1, request, age: 0, silence: 0, fault: None };
        let path = directory.path().to_owned();
        let patience = Patience { look: Duration::from_millis(10), alone: Duration::from_millis(50), ..PATIENCE };
        let accepting =
            tokio::spawn(async move { accept_within(&patience, &Reception::default(), &path, &listed).await });
        loop {
            match directory.read(&id.response_file(), LARGEST_RESPONSE) {
                Ok((_, text)) => return (accepting, text),
                Err(error) => assert!(error.is_absent(), "{error}"),
            }
            tokio::task::yield_now().await;
        }
    }

    #[tokio::test]
    async fn an_answer_that_came_after_the_request_was_taken_away_is_none() {
        let base = tempfile::tempdir().unwrap();
        let directory = ConnectDirectory::make(&base.path().join("connect")).unwrap();
        let id = RequestId::new("elsewhere", 1, [0; 8]);
        let (accepting, _) = answered(&directory, &id).await;
        // Like a process that reads another front end's response between our check and our write.
        directory.remove(&id.request_file()).unwrap();
        assert_eq!(accepting.await.unwrap().unwrap_err(), answer::gone(&id));
        assert_eq!(directory.stamp(&id.response_file()), Ok(None), "its key lies nowhere");
    }

    #[tokio::test]
    async fn only_who_has_the_key_becomes_the_session() {
        let base = tempfile::tempdir().unwrap();
        let directory = ConnectDirectory::make(&base.path().join("connect")).unwrap();
        let id = RequestId::new("elsewhere", 1, [0; 8]);
        let (accepting, text) = answered(&directory, &id).await;
        let ConnectResponse::Accept { port, key, addresses, .. } = ConnectResponse::parse(&text).unwrap() else {
            panic!("it is an acceptance")
        };
        assert!(!addresses.is_empty());
        let at = format!("127.0.0.1:{port}");
        let _silent = TcpStream::connect(&at).await.unwrap();
        for _ in 0..20 {
            TcpStream::connect(&at).await.unwrap().write_all(b"GET / HTTP/1.0\r\n\r\n").await.unwrap();
        }
        let other = SessionKey::generate().unwrap();
        assert!(dial_tcp(&at, &other, &Hello::new(Role::Master)).await.is_err());
        // A peer with the key but in another role is refused.
        let server = dial_tcp(&at, &key, &Hello::new(Role::Server)).await;
        assert!(!accepting.is_finished());
        let master = dial_tcp(&at, &key, &Hello::new(Role::Master)).await.unwrap();
        let accepted = accepting.await.unwrap().unwrap();
        assert_eq!(accepted.title, "a", "where it is, is told with its ranks");
        assert_eq!(directory.stamp(&id.response_file()), Ok(None), "its key lies nowhere");
        drop((server, master));
    }
}
