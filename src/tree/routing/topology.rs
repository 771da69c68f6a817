//! Parents and children in a tree of N servers and the master (wire, section 6).

use protocol::ServerIndex;
use serde::{Deserialize, Serialize};

/// The shape of the tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Shape {
    /// A binomial tree, rooted at the master.
    Binomial,
    /// A tree with at most this many children per node; 0 counts as 1.
    Wide(u32),
}

impl Default for Shape {
    fn default() -> Self {
        Self::Wide(32)
    }
}

/// A tree of `servers` servers, 0…N-1, and the master, which has the number N.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Topology {
    servers: u32,
    shape: Shape,
}

impl Topology {
    /// Makes a tree of this many servers.
    pub fn new(servers: u32, shape: Shape) -> Self {
        Self { servers, shape }
    }

    /// Returns the master's index, which equals the number of servers.
    pub fn master(&self) -> ServerIndex {
        ServerIndex(self.servers)
    }

    /// Number of servers, without the master.
    pub fn servers(&self) -> u32 {
        self.servers
    }

    /// Returns the parent of a node; `None` for the master and for numbers that are not in the tree.
    pub fn parent(&self, node: ServerIndex) -> Option<ServerIndex> {
        let place = self.place(node)?;
        if place == 0 {
            return None;
        }
        Some(self.node(match self.shape {
            Shape::Binomial => place & !highest_bit(place),
            Shape::Wide(fan_out) => (place - 1) / u64::from(fan_out.max(1)),
        }))
    }

    /// Returns the children of a node in ascending order.
    pub fn children(&self, node: ServerIndex) -> Vec<ServerIndex> {
        let Some(place) = self.place(node) else { return Vec::new() };
        let size = self.size();
        match self.shape {
            Shape::Binomial => {
                let first = if place == 0 { 1 } else { highest_bit(place) << 1 };
                std::iter::successors(Some(first), |bit| Some(bit << 1))
                    .map(|bit| place | bit)
                    .take_while(|&child| child < size)
                    .map(|child| self.node(child))
                    .collect()
            }
            Shape::Wide(fan_out) => {
                let fan_out = u64::from(fan_out.max(1));
                let first = place * fan_out + 1;
                (first..(first + fan_out).min(size)).map(|child| self.node(child)).collect()
            }
        }
    }

    /// Returns all nodes below a node, without itself.
    pub fn descendants(&self, node: ServerIndex) -> Vec<ServerIndex> {
        let mut found = self.children(node);
        let mut next = 0;
        while let Some(&child) = found.get(next) {
            found.extend(self.children(child));
            next += 1;
        }
        found.sort_unstable();
        found
    }

    /// Returns the parent of a node, its parent and so on; the master is last.
    pub fn ancestors(&self, node: ServerIndex) -> Vec<ServerIndex> {
        std::iter::successors(self.parent(node), |&above| self.parent(above)).collect()
    }

    fn size(&self) -> u64 {
        u64::from(self.servers) + 1
    }

    /// Returns the node's number in a count from the root, which is 0.
    fn place(&self, node: ServerIndex) -> Option<u64> {
        (node.0 <= self.servers).then(|| (u64::from(node.0) + 1) % self.size())
    }

    fn node(&self, place: u64) -> ServerIndex {
        ServerIndex(((place + self.size() - 1) % self.size()) as u32)
    }
}

fn highest_bit(n: u64) -> u64 {
    if n == 0 { 0 } else { 1 << n.ilog2() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn children(servers: u32, shape: Shape, node: u32) -> Vec<u32> {
        Topology::new(servers, shape).children(ServerIndex(node)).iter().map(|child| child.0).collect()
    }

    #[test]
    fn binomial_trees_are_those_of_the_wire_page() {
        assert_eq!(children(4, Shape::Binomial, 4), [0, 1, 3]);
        assert_eq!(children(4, Shape::Binomial, 0), [2]);
        assert_eq!(children(7, Shape::Binomial, 7), [0, 1, 3]);
        assert_eq!(children(7, Shape::Binomial, 0), [2, 4]);
        assert_eq!(children(7, Shape::Binomial, 1), [5]);
        assert_eq!(children(7, Shape::Binomial, 2), [6]);
        assert_eq!(children(7, Shape::Binomial, 6), [0; 0]);
    }

    #[test]
    fn a_wide_tree_of_few_servers_is_flat() {
        assert_eq!(children(4, Shape::default(), 4), [0, 1, 2, 3]);
        assert_eq!(children(5, Shape::Wide(2), 5), [0, 1]);
        assert_eq!(children(5, Shape::Wide(2), 0), [2, 3]);
        assert_eq!(children(5, Shape::Wide(2), 1), [4]);
        assert_eq!(children(3, Shape::Wide(0), 0), [1]);
    }

    #[test]
    fn numbers_outside_the_tree_have_no_relatives() {
        let tree = Topology::new(2, Shape::Binomial);
        assert_eq!(tree.parent(ServerIndex(3)), None);
        assert!(tree.children(ServerIndex(u32::MAX)).is_empty());
    }

    proptest! {
        #[test]
        fn every_server_hangs_below_the_master_exactly_once(
            servers in 0u32..300,
            shape in prop_oneof![Just(Shape::Binomial), (1u32..40).prop_map(Shape::Wide)],
        ) {
            let tree = Topology::new(servers, shape);
            prop_assert_eq!(tree.parent(tree.master()), None);
            let below: Vec<u32> = tree.descendants(tree.master()).iter().map(|s| s.0).collect();
            prop_assert_eq!(below, (0..servers).collect::<Vec<_>>());
            for server in (0..servers).map(ServerIndex) {
                let parent = tree.parent(server).unwrap();
                prop_assert!(tree.children(parent).contains(&server));
                let ancestors = tree.ancestors(server);
                prop_assert_eq!(ancestors.first(), Some(&parent));
                prop_assert_eq!(ancestors.last(), Some(&tree.master()));
                prop_assert!(ancestors.iter().all(|&above| tree.descendants(above).contains(&server)));
            }
        }
    }
}
