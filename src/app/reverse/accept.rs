//! From a user's yes to a session: the answer is written, and the master that the waiting process becomes is awaited.

use super::scan::has_ended;
use super::{answer, job};
use crate::link::{LinkCarrier, SessionLink, pump};
use controller::state::ListedRequest;
use protocol::reverse::{ConnectDirectory, ConnectResponse, RequestId, host_name, own_addresses};
use protocol::{Connection, Hello, LaunchPlan, LinkError, Listener, Pass, PendingConnections, Role, SessionKey, Visit};
use std::path::Path;
use std::time::Duration;
use tokio::time::{Instant, sleep, sleep_until};

/// For how long what becomes of an answer is waited for.
struct Patience {
    /// Until it is looked again what became of the answer, and whether its process lives, where that can be seen.
    look: Duration,
    /// With an answer that lies there without a request. Who has read one takes away the request, and the answer right
    /// after it, which may take a busy host some seconds.
    alone: Duration,
    /// A process that has not connected by then, after it was told where to, will not: it looks for the answer twice a
    /// second and dials for half a minute.
    limit: Duration,
}

const PATIENCE: Patience =
    Patience { look: Duration::from_millis(500), alone: Duration::from_secs(10), limit: Duration::from_secs(60) };

/// A session that a request has become.
#[derive(Debug)]
pub struct Accepted {
    /// What is to be launched.
    pub plan: LaunchPlan,
    /// What it is called.
    pub title: String,
    /// Where its process runs, as it says.
    pub host: String,
    connection: Connection,
}

impl Accepted {
    /// Carries requests and replies from now on.
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
    // What was sent last, such as the wish to end, must arrive before the link closes.
    let _ = sender.flushed().await;
}

/// Accepts a request; the session, or a sentence why there is none.
pub(super) async fn accept(path: &Path, listed: &ListedRequest) -> Result<Accepted, String> {
    accept_within(&PATIENCE, path, listed).await
}

async fn accept_within(patience: &Patience, path: &Path, listed: &ListedRequest) -> Result<Accepted, String> {
    if let Some(why) = listed.why_not() {
        return Err(format!("cannot accept {}: {why}", listed.id));
    }
    let plan = job::plan(listed)?;
    let key = SessionKey::generate().map_err(|error| format!("cannot make a session key: {error}"))?;
    let listener = listen().await.map_err(|error| error.to_string())?;
    let port = listener.port().unwrap_or_default();
    let addresses = addresses(&listed.request.host);
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

/// On every address of this host; one socket for both families where the system has that.
async fn listen() -> Result<Listener, LinkError> {
    match Listener::tcp("[::]:0").await {
        Ok(listener) => Ok(listener),
        Err(_) => Listener::tcp("0.0.0.0:0").await,
    }
}

/// Where a process of that host finds us, the best first.
fn addresses(host: &str) -> Vec<String> {
    let own = host_name();
    let mut found = Vec::new();
    if host == own {
        found.push("127.0.0.1".to_owned());
    }
    found.extend(own_addresses());
    // A name is for those who translate addresses between networks.
    if !own.is_empty() {
        found.push(own);
    }
    if found.is_empty() {
        found.push("127.0.0.1".to_owned());
    }
    found
}

/// The first to arrive who proves the key. Whoever else knocks keeps nobody out.
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
    /// By somebody else, and the answer was gone with its request when ours was written.
    Answered,
    Ended,
    Late,
}

/// When it is certain that nobody will come.
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
            // With its last act it may have taken the request back.
            let _ = directory.remove(&listed.id.request_file());
            return GivenUp::Ended;
        }
    }
}

/// Our answer is there, and no request.
fn lies_alone(directory: &ConnectDirectory, id: &RequestId) -> bool {
    // Asking for the names makes a network file system look again.
    let names = directory.names().unwrap_or_default();
    names.contains(&id.response_file()) && !names.contains(&id.request_file())
}

/// An answer in the directory. Nobody else can give one while it is there, and its key lies there: it goes when nobody
/// waits any more for what comes of it. One that was read is deleted by its reader.
struct Written<'a> {
    directory: &'a ConnectDirectory,
    id: &'a RequestId,
}

impl Written<'_> {
    /// Deletes it; whether it had not been read.
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

    /// A request of another host that is being accepted; the text of the answer is there.
    async fn answered(directory: &ConnectDirectory, id: &RequestId) -> (JoinHandle<Result<Accepted, String>>, Vec<u8>) {
        let request = ConnectRequest { program: "a".into(), directory: "/".into(), ..ConnectRequest::default() };
        directory.write(&id.request_file(), &request.print()).unwrap();
        let listed = ListedRequest { id: id.clone(), number: 1, request, age: 0, silence: 0, fault: None };
        let path = directory.path().to_owned();
        let patience = Patience { look: Duration::from_millis(10), alone: Duration::from_millis(50), ..PATIENCE };
        let accepting = tokio::spawn(async move { accept_within(&patience, &path, &listed).await });
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
        // As whoever reads another one's answer between our look and ours.
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
        // Who has the key and is something else may greet, and is not taken.
        let server = dial_tcp(&at, &key, &Hello::new(Role::Server)).await;
        assert!(!accepting.is_finished());
        let master = dial_tcp(&at, &key, &Hello::new(Role::Master)).await.unwrap();
        let accepted = accepting.await.unwrap().unwrap();
        assert_eq!(accepted.title, "a", "where it is, is told with its ranks");
        assert_eq!(directory.stamp(&id.response_file()), Ok(None), "its key lies nowhere");
        drop((server, master));
    }
}
