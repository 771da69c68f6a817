//! The way up: whom a server reports to, whom it goes to when that one is gone, and what waits meanwhile.

use crate::node::LinkId;
use protocol::{
    Connection, Hello, LinkError, Role, Sender, ServerIndex, SessionKey, TreeDown, TreeUp, dial_tcp, expect_role,
};
use std::time::Duration;
use tokio::time::timeout;

/// An ancestor must be reached in this time, else the next one is tried.
const DIAL_LIMIT: Duration = Duration::from_secs(3);

/// Where the link up is.
#[derive(Debug)]
enum Link {
    /// In use.
    Open(Sender<TreeUp>),
    /// The new one is there; the old one is being read to its end first, so that nothing overtakes what it carries.
    Handing { fresh: Sender<TreeUp>, fresh_id: LinkId },
    /// Being looked for, or gone for good.
    None,
}

/// The link to the parent.
#[derive(Debug)]
pub(super) struct Parent {
    link: Link,
    id: LinkId,
    path: Vec<(ServerIndex, String)>,
    place: usize,
    waiting: Vec<TreeUp>,
}

impl Parent {
    /// At the first of a path, by a link that is open.
    pub(super) fn new(path: Vec<(ServerIndex, String)>, place: usize, id: LinkId, sender: Sender<TreeUp>) -> Self {
        Self { link: Link::Open(sender), id, path, place, waiting: Vec::new() }
    }

    /// One that will dial us.
    pub(super) fn awaited() -> Self {
        Self { link: Link::None, id: LinkId(u64::MAX), path: Vec::new(), place: 0, waiting: Vec::new() }
    }

    /// Passes on; or keeps it while there is no way.
    pub(super) fn send(&mut self, message: TreeUp) {
        match &self.link {
            Link::Open(sender) => {
                if let Err(error) = sender.send(&message) {
                    // The reading side will say that the link is gone.
                    tracing::debug!("kept for the next parent: {error}");
                    self.waiting.push(message);
                }
            }
            Link::Handing { .. } | Link::None => self.waiting.push(message),
        }
    }

    /// A new path. What is left to dial, in order, when its first is not where we are; the present parent is the last
    /// resort.
    pub(super) fn follow(&mut self, path: Vec<(ServerIndex, String)>) -> Option<Vec<(ServerIndex, String)>> {
        let here = self.path.get(self.place).map(|(server, _)| *server);
        // The master is the last of every path. Its number is that of the servers, which may not have been known.
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

    /// A link ended. `true` when it was the one in use: another one is needed.
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

    /// Those above the parent that is gone.
    pub(super) fn beyond(&self) -> Vec<(ServerIndex, String)> {
        self.path.iter().skip(self.place + 1).cloned().collect()
    }

    /// A link to another parent is open, which is on our path if we have dialled it; `account` is its first news from us.
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
                // Closes our direction when everything is written.
                drop(old);
                self.link = Link::Handing { fresh: sender, fresh_id: id };
            }
            Link::Handing { .. } | Link::None => {
                self.id = id;
                self.open(sender);
            }
        }
    }

    /// There is no link to a parent, and none is being made.
    pub(super) fn is_gone(&self) -> bool {
        matches!(self.link, Link::None)
    }

    /// Waits until everything sent is written.
    pub(super) async fn flushed(&self) {
        if let Link::Open(sender) = &self.link {
            // A link that is gone has nothing left to write.
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

/// Dials in order until one answers.
pub(super) async fn dial_first(
    addresses: &[(ServerIndex, String)],
    key: &SessionKey,
) -> Result<(ServerIndex, Connection), LinkError> {
    let mut failure = LinkError::Silent { peer: "no ancestor is left to connect to".to_owned(), limit: Duration::ZERO };
    let hello = Hello::new(Role::Server);
    let last = addresses.len().saturating_sub(1);
    for (i, (server, address)) in addresses.iter().enumerate() {
        match timeout(DIAL_LIMIT, dial_tcp(address, key, &hello)).await {
            Ok(Ok(connection)) => {
                // A server's parent is a server or the master; a joiner or a front end never is.
                let wanted = match connection.hello().map(|hello| hello.role) {
                    Some(role @ (Role::Server | Role::Master)) => role,
                    _ => Role::Master,
                };
                return Ok((*server, expect_role(connection, wanted)?));
            }
            Ok(Err(error)) => failure = error,
            Err(_) => failure = LinkError::Silent { peer: address.clone(), limit: DIAL_LIMIT },
        }
        if i < last {
            tracing::warn!("{failure}; trying the next ancestor");
        }
    }
    Err(failure)
}

pub(super) type ParentNews = crate::link_tasks::LinkNews<TreeUp, TreeDown>;
