//! The way to each rank, learnt from servers that announce themselves and their ranks.

use model::ProcessSet;
use protocol::ServerIndex;
use std::collections::BTreeMap;

/// A server below this node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Below {
    /// The child through which it is reached; the server itself if it is a child.
    pub via: ServerIndex,
    /// Name of its host.
    pub host: String,
    /// `host:port` on which it listens.
    pub address: String,
    /// Ranks of the server itself, without those below it.
    pub ranks: ProcessSet,
}

/// The servers below a node and their ranks.
#[derive(Clone, Debug, Default)]
pub struct Routing {
    servers: BTreeMap<ServerIndex, Below>,
    children: BTreeMap<ServerIndex, ProcessSet>,
}

impl Routing {
    /// Records a server that announced itself through a child. Ranks already known for it are kept.
    pub fn announce(&mut self, server: ServerIndex, via: ServerIndex, host: &str, address: &str, ranks: &ProcessSet) {
        let before = self.servers.remove(&server);
        let moved = before.as_ref().is_some_and(|before| before.via != via);
        let mut own = ranks.clone();
        if let Some(before) = before {
            own.extend_with(&before.ranks);
        }
        self.children.entry(via).or_default().extend_with(&own);
        let below = Below { via, host: host.to_owned(), address: address.to_owned(), ranks: own };
        self.servers.insert(server, below);
        if moved {
            // A child that went below another one took its descendants along.
            self.servers.values_mut().filter(|below| below.via == server && via != server).for_each(|b| b.via = via);
            self.sum_up();
        }
    }

    /// Records ranks of a server.
    pub fn acquired(&mut self, server: ServerIndex, ranks: &ProcessSet) {
        if let Some(below) = self.servers.get_mut(&server) {
            below.ranks.extend_with(ranks);
            self.children.entry(below.via).or_default().extend_with(ranks);
        }
    }

    /// Removes a server; returns what was known of it.
    pub fn forget(&mut self, server: ServerIndex) -> Option<Below> {
        let gone = self.servers.remove(&server);
        if gone.is_some() {
            self.sum_up();
        }
        gone
    }

    /// Removes a child whose link is gone, and everything reached through it; returns them.
    pub fn cut(&mut self, child: ServerIndex) -> Vec<(ServerIndex, Below)> {
        let cut: Vec<ServerIndex> = self.servers.iter().filter(|(_, b)| b.via == child).map(|(&s, _)| s).collect();
        let gone = cut.into_iter().filter_map(|server| Some((server, self.servers.remove(&server)?))).collect();
        self.sum_up();
        gone
    }

    /// Returns a server below this node.
    pub fn server(&self, server: ServerIndex) -> Option<&Below> {
        self.servers.get(&server)
    }

    /// Returns all servers below this node.
    pub fn servers(&self) -> impl Iterator<Item = (ServerIndex, &Below)> {
        self.servers.iter().map(|(&server, below)| (server, below))
    }

    /// Returns the child through which a server is reached.
    pub fn via(&self, server: ServerIndex) -> Option<ServerIndex> {
        self.servers.get(&server).map(|below| below.via)
    }

    /// Splits a set into the part of each child and the ranks that no child has.
    pub fn split(&self, ranks: &ProcessSet) -> (Vec<(ServerIndex, ProcessSet)>, ProcessSet) {
        let mut rest = ranks.clone();
        let mut parts = Vec::new();
        for (&child, below) in &self.children {
            if rest.meets(below) {
                let part = rest.intersection(below);
                rest.remove_all(&part);
                parts.push((child, part));
            }
        }
        (parts, rest)
    }

    fn sum_up(&mut self) {
        self.children.clear();
        for below in self.servers.values() {
            self.children.entry(below.via).or_default().extend_with(&below.ranks);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(text: &str) -> ProcessSet {
        ProcessSet::parse(text).unwrap()
    }

    /// 0 has a child 2; 1 is alone.
    fn routing() -> Routing {
        let mut routing = Routing::default();
        for (server, via) in [(0, 0), (1, 1), (2, 0)] {
            routing.announce(ServerIndex(server), ServerIndex(via), "node", "node:1", &ProcessSet::new());
            routing.acquired(ServerIndex(server), &set(["0-3", "4-7", "8-11"][server as usize]));
        }
        routing
    }

    #[test]
    fn a_set_is_split_among_the_children_and_the_rest_is_told() {
        let (parts, rest) = routing().split(&set("2-4,9,40"));
        assert_eq!(parts, [(ServerIndex(0), set("2-3,9")), (ServerIndex(1), set("4"))]);
        assert_eq!(rest, set("40"));
    }

    #[test]
    fn cutting_a_child_takes_all_behind_it() {
        let mut routing = routing();
        let gone: Vec<u32> = routing.cut(ServerIndex(0)).iter().map(|(server, _)| server.0).collect();
        assert_eq!(gone, [0, 2]);
        assert_eq!(routing.split(&set("0-11")).0, [(ServerIndex(1), set("4-7"))]);
    }

    #[test]
    fn a_child_that_moves_takes_those_behind_it_along() {
        let mut routing = routing();
        routing.announce(ServerIndex(0), ServerIndex(1), "node", "node:1", &ProcessSet::new());
        assert_eq!(routing.split(&set("0-11")).0, [(ServerIndex(1), set("0-11"))]);
        assert_eq!(routing.via(ServerIndex(2)), Some(ServerIndex(1)));
    }

    #[test]
    fn a_server_that_comes_back_elsewhere_keeps_its_ranks() {
        let mut routing = routing();
        routing.announce(ServerIndex(2), ServerIndex(2), "node", "node:1", &ProcessSet::new());
        assert_eq!(routing.split(&set("0,8")).0, [(ServerIndex(0), set("0")), (ServerIndex(2), set("8"))]);
        assert!(routing.forget(ServerIndex(0)).is_some());
        assert_eq!(routing.split(&set("0,8")).1, set("0"));
    }
}
