//! The way up: a server's parent, the ancestors it dials when that one is gone, and the messages that wait meanwhile.

use crate::node::LinkId;
use protocol::{
    Connection, Hello, LinkError, Role, Sender, ServerIndex, SessionKey, TreeDown, TreeUp, dial_tcp, expect_role,
};
use std::time::Duration;
use tokio::time::timeout;

/// Time for dialling one ancestor before the next one is tried.
const DIAL_LIMIT: Duration = Duration::from_secs(3);

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
    let mut failure = LinkError::Silent { peer: "no ancestor is left to connect to".to_owned(), limit: Duration::ZERO };
    let hello = Hello::new(Role::Server);
    let last = addresses.len().saturating_sub(1);
    for (i, (server, address)) in addresses.iter().enumerate() {
        match timeout(DIAL_LIMIT, dial_tcp(address, key, &hello)).await {
            Ok(Ok(connection)) => {
                // A server's parent is a server or the master, never a joiner or a front end.
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
