//! The way up: a server's parent, the ancestors it dials when that one is gone, and the messages that wait meanwhile.

use crate::node::LinkId;
use protocol::{
    Connection, DialPatience, Hello, LinkError, Role, Sender, ServerIndex, SessionKey, TreeDown, TreeUp,
    dial_tcp_within, expect_role,
};
use std::time::{Duration, Instant};
use tokio::time::sleep;

/// Time for dialling one ancestor before the next one is tried.
const DIAL_LIMIT: Duration = Duration::from_secs(3);
const PATIENCE: DialPatience = DialPatience { connect: DIAL_LIMIT, reply: DIAL_LIMIT };
/// Time that the last ancestor has to reply once its host has accepted the connection. There is nobody else to go to,
/// and it may have a thousand servers to welcome first.
const LAST_LIMIT: Duration = Duration::from_secs(60);
/// Pause before the last ancestor is dialled again after it made room for others.
const CROWD_PAUSE: Duration = Duration::from_millis(200);

/// The state of the link to the parent.
#[derive(Debug)]
enum Link {
    Open(Sender<TreeUp>),
    /// The new link is there; the old one is read to its end first, so that nothing overtakes its messages.
    Handing {
        fresh: Sender<TreeUp>,
        fresh_id: LinkId,
    },
    /// The parent is being looked for, or gone for good.
    None,
}

/// The link to the parent, with the path to the master.
#[derive(Debug)]
pub(super) struct Parent {
    link: Link,
    id: LinkId,
    path: Vec<(ServerIndex, String)>,
    place: usize,
    waiting: Vec<TreeUp>,
}

impl Parent {
    /// Starts at `place` of a path, with an open link.
    pub(super) fn new(path: Vec<(ServerIndex, String)>, place: usize, id: LinkId, sender: Sender<TreeUp>) -> Self {
        Self { link: Link::Open(sender), id, path, place, waiting: Vec::new() }
    }

    /// Starts without a link: a parent will dial us.
    pub(super) fn awaited() -> Self {
        Self { link: Link::None, id: LinkId(u64::MAX), path: Vec::new(), place: 0, waiting: Vec::new() }
    }

    /// Sends a message, or keeps it while there is no link.
    pub(super) fn send(&mut self, message: TreeUp) {
        match &self.link {
            Link::Open(sender) => {
                if let Err(error) = sender.send(&message) {
                    // The reading side will report the end of the link.
                    tracing::debug!("kept for the next parent: {error}");
                    self.waiting.push(message);
                }
            }
            Link::Handing { .. } | Link::None => self.waiting.push(message),
        }
    }

    /// Sets a new path. If its first node is not the present parent, returns the nodes to dial, in order; the present
    /// parent is the last resort.
    pub(super) fn follow(&mut self, path: Vec<(ServerIndex, String)>) -> Option<Vec<(ServerIndex, String)>> {
        let here = self.path.get(self.place).map(|(server, _)| *server);
        // The master is the last node of every path. Its index is the number of servers, which may not have been known.
        let at_master = self.place + 1 == self.path.len();
        self.path = path;
        let found = self.path.iter().position(|(server, _)| Some(*server) == here);
        match if at_master { self.path.len().checked_sub(1) } else { found } {
            Some(0) => {
                self.place = 0;
                None
            }
            Some(place) => {
                self.place = place;
                Some(self.path.iter().take(place).cloned().collect())
            }
            None => Some(self.path.clone()),
        }
    }

    /// Handles the end of a link; returns true if it was the one in use, so that another one is needed.
    pub(super) fn closed(&mut self, id: LinkId) -> bool {
        if id != self.id {
            return false;
        }
        match std::mem::replace(&mut self.link, Link::None) {
            Link::Handing { fresh, fresh_id } => {
                self.id = fresh_id;
                self.open(fresh);
                false
            }
            Link::Open(_) | Link::None => true,
        }
    }

    /// Returns the ancestors above the lost parent.
    pub(super) fn beyond(&self) -> Vec<(ServerIndex, String)> {
        self.path.iter().skip(self.place + 1).cloned().collect()
    }

    /// Takes an open link to another parent, which is on our path if we have dialled it; `account` is sent first.
    pub(super) fn adopt(
        &mut self,
        server: Option<ServerIndex>,
        id: LinkId,
        sender: Sender<TreeUp>,
        account: Vec<TreeUp>,
    ) {
        self.place = self.path.iter().position(|(s, _)| Some(*s) == server).unwrap_or(self.place);
        for message in &account {
            if let Err(error) = sender.send(message) {
                tracing::warn!("{error}");
            }
        }
        match std::mem::replace(&mut self.link, Link::None) {
            Link::Open(old) => {
                // Closes our direction once everything is written.
                drop(old);
                self.link = Link::Handing { fresh: sender, fresh_id: id };
            }
            Link::Handing { .. } | Link::None => {
                self.id = id;
                self.open(sender);
            }
        }
    }

    /// True if there is no link to a parent, and none is being made.
    pub(super) fn is_gone(&self) -> bool {
        matches!(self.link, Link::None)
    }

    /// Waits until everything sent is written.
    pub(super) async fn flushed(&self) {
        if let Link::Open(sender) = &self.link {
            // A broken link has nothing left to write.
            let _ = sender.flushed().await;
        }
    }

    fn open(&mut self, sender: Sender<TreeUp>) {
        self.link = Link::Open(sender);
        for message in std::mem::take(&mut self.waiting) {
            self.send(message);
        }
    }
}

/// Dials these nodes in order until one answers.
pub(super) async fn dial_first(
    addresses: &[(ServerIndex, String)],
    key: &SessionKey,
) -> Result<(ServerIndex, Connection), LinkError> {
    dial_in_turn(addresses, key, PATIENCE).await
}

/// With this patience for each but the last.
async fn dial_in_turn(
    addresses: &[(ServerIndex, String)],
    key: &SessionKey,
    patience: DialPatience,
) -> Result<(ServerIndex, Connection), LinkError> {
    let Some(((last, address), before)) = addresses.split_last() else {
        return Err(LinkError::Silent { peer: "no ancestor is left to connect to".to_owned(), limit: Duration::ZERO });
    };
    for (server, address) in before {
        match dial(address, key, patience).await {
            Ok(connection) => return Ok((*server, connection)),
            Err(failure) => tracing::warn!("{failure}; trying the next ancestor"),
        }
    }
    let end = Instant::now() + LAST_LIMIT;
    loop {
        let left = end.saturating_duration_since(Instant::now());
        match dial(address, key, DialPatience { reply: left, ..patience }).await {
            Ok(connection) => return Ok((*last, connection)),
            // It lives, and has closed this connection to make room for others that arrived with it.
            Err(error) if error.is_departure() && left > CROWD_PAUSE => {
                tracing::info!("{error}; connecting again");
                sleep(CROWD_PAUSE).await;
            }
            Err(error) => return Err(error),
        }
    }
}

async fn dial(address: &str, key: &SessionKey, patience: DialPatience) -> Result<Connection, LinkError> {
    let connection = dial_tcp_within(address, key, &Hello::new(Role::Server), patience).await?;
    // A server's parent is a server or the master, never a joiner or a front end.
    let wanted = match connection.hello().map(|hello| hello.role) {
        Some(role @ (Role::Server | Role::Master)) => role,
        _ => Role::Master,
    };
    expect_role(connection, wanted)
}

pub(super) type ParentNews = crate::link_tasks::LinkNews<TreeUp, TreeDown>;

#[cfg(test)]
mod tests {
    use super::*;
    use protocol::Listener;

    async fn master() -> (Listener, Vec<(ServerIndex, String)>, SessionKey) {
        let listener = Listener::tcp("127.0.0.1:0").await.unwrap();
        let address = format!("127.0.0.1:{}", listener.port().unwrap());
        (listener, vec![(ServerIndex(1), address)], SessionKey::generate().unwrap())
    }

    #[tokio::test]
    async fn the_last_ancestor_may_take_its_time_to_reply() {
        let (busy, mut path, key) = master().await;
        let (listener, last, _) = master().await;
        path.extend(last);
        path[1].0 = ServerIndex(2);
        let theirs = key.clone();
        let impatient = DialPatience { reply: Duration::ZERO, ..PATIENCE };
        let dialling = tokio::spawn(async move { dial_in_turn(&path, &theirs, impatient).await });
        // The first one was given up, the last one is not.
        let _busy = busy.accept().await.unwrap();
        listener.accept().await.unwrap().establish(Some(&key), &Hello::new(Role::Master)).await.unwrap();
        assert_eq!(dialling.await.unwrap().unwrap().0, ServerIndex(2));
    }

    #[tokio::test]
    async fn a_server_that_was_closed_to_make_room_comes_again() {
        let (listener, path, key) = master().await;
        let theirs = key.clone();
        let dialling = tokio::spawn(async move { dial_first(&path, &theirs).await });
        drop(listener.accept().await.unwrap());
        listener.accept().await.unwrap().establish(Some(&key), &Hello::new(Role::Master)).await.unwrap();
        dialling.await.unwrap().unwrap();
    }

    #[tokio::test]
    async fn a_master_that_is_gone_is_not_waited_for() {
        let (listener, path, key) = master().await;
        drop(listener);
        assert!(matches!(dial_first(&path, &key).await, Err(LinkError::Dial { .. })));
    }
}
