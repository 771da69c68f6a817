//! Tasks that read links and accept new ones; what they read goes to the one owner of the state.

use super::node::LinkId;
use crate::protocol::{Arrival, Connection, Hello, LinkError, Listener, Message, Receiver, Role, Sender, SessionKey};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// After a failed accept (no file descriptor left, say) nothing is tried for this long.
const ACCEPT_PAUSE: Duration = Duration::from_millis(200);

/// What becomes of links.
#[derive(Debug)]
pub enum LinkNews<Out, In> {
    /// Somebody dialled and proved who it is.
    Opened(LinkId, Sender<Out>),
    /// It says something.
    Said(LinkId, In),
    /// It is gone, with the reason in words.
    Closed(LinkId, String),
}

/// Whom to let in.
#[derive(Clone, Debug)]
pub struct Door {
    /// The key of the session; without one only Unix sockets are let in.
    pub key: Option<SessionKey>,
    /// What we say.
    pub hello: Hello,
    /// What the other side must be.
    pub expected: Role,
    /// The number of the last link; doors to one room share it.
    pub numbers: Arc<AtomicU64>,
}

/// Accepts links for as long as the task lives; each is numbered, read, and reported by `tell`, which says whether
/// anybody still listens.
pub async fn accept_all<Out, In, Tell>(listener: Listener, door: Door, tell: Tell)
where
    Out: Message + Send + 'static,
    In: Message + Send + 'static,
    Tell: Fn(LinkNews<Out, In>) -> bool + Clone + Send + 'static,
{
    loop {
        match listener.accept().await {
            Ok(arrival) => {
                let (door, tell) = (door.clone(), tell.clone());
                tokio::spawn(async move {
                    match meet(arrival, &door).await {
                        Ok(connection) => {
                            let id = LinkId(door.numbers.fetch_add(1, Ordering::Relaxed) + 1);
                            let (sender, receiver) = connection.split();
                            if tell(LinkNews::Opened(id, sender)) {
                                read_all(id, receiver, tell).await;
                            }
                        }
                        Err(error) => tracing::warn!("not let in: {error}"),
                    }
                });
            }
            Err(error) => {
                tracing::warn!("{error}");
                tokio::time::sleep(ACCEPT_PAUSE).await;
            }
        }
    }
}

async fn meet(arrival: Arrival, door: &Door) -> Result<Connection, LinkError> {
    let connection = arrival.establish(door.key.as_ref(), &door.hello).await?;
    expect_role(connection, door.expected)
}

/// Lets a peer pass that is what it should be.
pub fn expect_role(connection: Connection, wanted: Role) -> Result<Connection, LinkError> {
    match connection.hello().map(|hello| hello.role) {
        Some(found) if found != wanted => {
            let source = crate::protocol::HelloError::Role { found, wanted }.into();
            Err(LinkError::Greeting { peer: connection.peer().to_owned(), source })
        }
        _ => Ok(connection),
    }
}

/// Reads a link to its end.
pub async fn read_all<Out, In: Message>(
    id: LinkId,
    mut receiver: Receiver<In>,
    tell: impl Fn(LinkNews<Out, In>) -> bool,
) {
    let why = loop {
        match receiver.receive().await {
            Ok(Some(message)) => {
                if !tell(LinkNews::Said(id, message)) {
                    return;
                }
            }
            Ok(None) => break format!("{} closed the link", receiver.peer()),
            Err(fault) => break format!("the link to {} broke: {fault}", receiver.peer()),
        }
    };
    tell(LinkNews::Closed(id, why));
}
