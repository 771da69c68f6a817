//! The direction in which links are dialled: children dial their parents, or, if hosts cannot reach those above them,
//! parents dial their children.

use crate::link_tasks::{LinkNews, read_all};
use crate::node::{LinkId, Node};
use protocol::{
    Connection, Hello, LinkError, Role, ServerIndex, SessionKey, TreeDown, TreeUp, dial_tcp, expect_role, own_file,
};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;
use tokio::time::{Instant, timeout};

const DIAL_LIMIT: Duration = Duration::from_secs(3);
/// Interval between two attempts: nothing reports when another host starts to listen on a port.
const PAUSE: Duration = Duration::from_millis(50);
/// Time for dialling a server that has reported where it listens, or is known to be there.
pub(crate) const ANSWER_LIMIT: Duration = Duration::from_secs(10);
/// Time for dialling a server that somebody else starts, perhaps much later.
pub(crate) const START_LIMIT: Duration = Duration::from_secs(300);
/// Precedes a server's address on a pipe.
const PLACE_WORD: &str = "rankscope-server";

/// The direction in which links of the tree are made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Dialling {
    /// Every server dials the master, then its parent.
    #[default]
    Up,
    /// Every server waits until its parent dials it.
    Down,
}

impl Dialling {
    /// Returns the direction for the command line's option.
    pub fn of(parents_dial: bool) -> Self {
        if parents_dial { Self::Down } else { Self::Up }
    }

    /// True if parents dial their children.
    pub fn is_down(self) -> bool {
        self == Self::Down
    }
}

/// The place where a server writes its address, so that it can be dialled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Sign {
    /// Standard output, for the process that has started the server.
    Output,
    /// A directory that the master polls.
    Directory(PathBuf),
}

impl Sign {
    pub(crate) fn put_up(&self, server: ServerIndex, address: &str) -> std::io::Result<()> {
        match self {
            Self::Output => {
                println!("{PLACE_WORD} {} {address}", server.0);
                Ok(())
            }
            Self::Directory(directory) => {
                let path = place_file(directory, server);
                own_file::replace(&path, address.as_bytes())
            }
        }
    }
}

fn place_file(directory: &Path, server: ServerIndex) -> PathBuf {
    directory.join(format!("server-{}.at", server.0))
}

/// Removes the address that an earlier server of this number has written.
pub(crate) fn clear_place(directory: &Path, server: ServerIndex) -> std::io::Result<()> {
    match std::fs::remove_file(place_file(directory, server)) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

/// Parses a line of [`Sign::Output`].
pub(crate) fn place_on(line: &str) -> Option<(ServerIndex, String)> {
    let mut words = line.split_whitespace();
    let (PLACE_WORD, server, address, None) = (words.next()?, words.next()?, words.next()?, words.next()) else {
        return None;
    };
    Some((ServerIndex(server.parse().ok()?), address.to_owned()))
}

/// Reads the addresses in a directory of [`Sign::Directory`].
pub(crate) fn places_in(directory: &Path) -> Vec<(ServerIndex, String)> {
    let Ok(entries) = std::fs::read_dir(directory) else { return Vec::new() };
    let read = |entry: std::fs::DirEntry| {
        let name = entry.file_name().into_string().ok()?;
        let server = name.strip_prefix("server-")?.strip_suffix(".at")?.parse().ok()?;
        Some((ServerIndex(server), std::fs::read_to_string(entry.path()).ok()?))
    };
    entries.flatten().filter_map(read).collect()
}

/// The result of dialling a child, and news of its link.
#[derive(Debug)]
pub enum ChildNews {
    /// The same as for a child that dialled.
    Link(LinkNews<TreeDown, TreeUp>),
    /// The child did not answer; holds the reason.
    Silent(ServerIndex, String),
}

#[derive(Clone, Debug)]
pub(crate) struct Dialler {
    key: SessionKey,
    /// The number of the last link to a child.
    numbers: Arc<AtomicU64>,
    /// The orphan that is being dialled now.
    orphan: Option<ServerIndex>,
}

impl Dialler {
    pub(crate) fn new(key: &SessionKey, numbers: &Arc<AtomicU64>) -> Self {
        Self { key: key.clone(), numbers: Arc::clone(numbers), orphan: None }
    }

    /// Dials these children until the limit, each in a task of its own.
    pub(crate) fn dial<Tell>(&self, children: Vec<(ServerIndex, String)>, limit: Duration, tell: &Tell)
    where
        Tell: Fn(ChildNews) -> bool + Clone + Send + 'static,
    {
        for (server, address) in children {
            let (key, numbers, tell) = (self.key.clone(), Arc::clone(&self.numbers), tell.clone());
            tokio::spawn(async move {
                match dial_until(&address, &key, Instant::now() + limit).await {
                    Ok(connection) => {
                        let id = LinkId(numbers.fetch_add(1, Ordering::Relaxed) + 1);
                        let (sender, receiver) = connection.split();
                        if tell(ChildNews::Link(LinkNews::Opened(id, sender))) {
                            read_all(id, receiver, move |news| tell(ChildNews::Link(news))).await;
                        }
                    }
                    Err(error) => drop(tell(ChildNews::Silent(server, error.to_string()))),
                }
            });
        }
    }

    /// Dials the servers whose parents are gone, one after another: each brings its descendants along.
    pub(crate) fn adopt<Tell>(&mut self, node: &Node, tell: &Tell)
    where
        Tell: Fn(ChildNews) -> bool + Clone + Send + 'static,
    {
        if self.orphan.is_some_and(|server| node.detached().expects(server)) {
            return;
        }
        self.orphan = None;
        if let Some((server, address)) = node.detached().first() {
            self.orphan = Some(server);
            self.dial(vec![(server, address.to_owned())], DIAL_LIMIT, tell);
        }
    }
}

/// Dials repeatedly: the peer may not listen yet.
async fn dial_until(address: &str, key: &SessionKey, end: Instant) -> Result<Connection, LinkError> {
    let hello = Hello::new(Role::Parent);
    loop {
        let outcome = match timeout(DIAL_LIMIT, dial_tcp(address, key, &hello)).await {
            Ok(Ok(connection)) => return expect_role(connection, Role::Server),
            Ok(Err(error)) => error,
            Err(_) => LinkError::Silent { peer: address.to_owned(), limit: DIAL_LIMIT },
        };
        if Instant::now() >= end {
            return Err(outcome);
        }
        tokio::time::sleep(PAUSE).await;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_read_as_they_are_written() {
        let directory = tempfile::tempdir().unwrap();
        let sign = Sign::Directory(directory.path().to_owned());
        std::fs::write(directory.path().join("server-0.log"), "x").unwrap();
        sign.put_up(ServerIndex(7), "10.0.0.1:1,[fd00::1]:1").unwrap();
        assert_eq!(places_in(directory.path()), [(ServerIndex(7), "10.0.0.1:1,[fd00::1]:1".to_owned())]);
        clear_place(directory.path(), ServerIndex(7)).unwrap();
        clear_place(directory.path(), ServerIndex(8)).unwrap();
        assert_eq!(places_in(directory.path()), []);
        assert_eq!(place_on("rankscope-server 3 a:1\n"), Some((ServerIndex(3), "a:1".to_owned())));
        for other in ["", "hello", "rankscope-server x a:1", "rankscope-server 3", "rankscope-server 3 a:1 b"] {
            assert_eq!(place_on(other), None, "{other:?}");
        }
    }
}
