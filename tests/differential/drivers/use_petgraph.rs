//! Uses graphs as programs do: builds, searches, shortens and dismantles them.

use petgraph::Graph;
use petgraph::algo::{connected_components, dijkstra, is_cyclic_directed, toposort};
use petgraph::graph::NodeIndex;
use petgraph::unionfind::UnionFind;
use petgraph::visit::{Bfs, Dfs, EdgeRef};
use std::collections::{BTreeMap, HashMap};

#[derive(Clone, Debug, PartialEq)]
enum Road {
    Path,
    Street { lanes: u8 },
    Ferry(String, f32),
}

impl Road {
    fn cost(&self, length: u32) -> u32 {
        match self {
            Road::Path => length * 3,
            Road::Street { lanes } => length / u32::from(*lanes).max(1),
            Road::Ferry(name, factor) => length + name.len() as u32 + *factor as u32,
        }
    }
}

struct Places {
    graph: Graph<&'static str, (Road, u32)>,
    by_name: HashMap<&'static str, NodeIndex>,
}

impl Places {
    fn new(names: &[&'static str]) -> Self {
        let mut graph = Graph::new();
        let mut by_name = HashMap::new();
        for name in names {
            let index = graph.add_node(*name);
            by_name.insert(*name, index);
        }
        Places { graph, by_name }
    }

    fn join(&mut self, from: &str, to: &str, road: Road, length: u32) -> Option<u32> {
        let (from, to) = (*self.by_name.get(from)?, *self.by_name.get(to)?);
        let cost = road.cost(length);
        self.graph.add_edge(from, to, (road, length));
        Some(cost)
    }

    fn costs(&self, from: &str) -> BTreeMap<&'static str, u32> {
        let start = self.by_name[from];
        let all = dijkstra(&self.graph, start, None, |edge| {
            let (road, length) = edge.weight();
            road.cost(*length)
        });
        all.into_iter().map(|(index, cost)| (self.graph[index], cost)).collect()
    }
}

fn main() {
    let mut places = Places::new(&["harbour", "market", "mill", "island", "hill"]);
    places.join("harbour", "market", Road::Street { lanes: 2 }, 8);
    places.join("market", "mill", Road::Path, 3);
    places.join("harbour", "island", Road::Ferry("Agnes".to_owned(), 1.5), 20);
    places.join("island", "mill", Road::Ferry("Berta".to_owned(), 2.5), 4);
    places.join("mill", "hill", Road::Path, 2);
    let missing = places.join("mill", "moon", Road::Path, 1);
    let costs = places.costs("harbour");
    let mut order = Vec::new();
    let mut search = Dfs::new(&places.graph, places.by_name["harbour"]);
    while let Some(next) = search.next(&places.graph) {
        order.push(places.graph[next]);
    }
    let mut wide = Bfs::new(&places.graph, places.by_name["harbour"]);
    while let Some(next) = wide.next(&places.graph) {
        order.push(places.graph[next]);
    }
    let sorted = toposort(&places.graph, None).map(|all| all.len());
    let mut sets: UnionFind<u16> = UnionFind::new(places.graph.node_count());
    for edge in places.graph.edge_references() {
        sets.union(edge.source().index() as u16, edge.target().index() as u16);
    }
    let labels = sets.into_labeling();
    let removed = places.graph.remove_node(places.by_name["market"]);
    let answers = (connected_components(&places.graph), is_cyclic_directed(&places.graph), removed, missing);
    println!("{costs:?} {order:?} {sorted:?} {labels:?} {answers:?}");
}
