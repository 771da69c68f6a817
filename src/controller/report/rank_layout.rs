//! The arrangement of ranks on the screen, as text and JSON.

use super::json_object::Object;
use super::text_words::of;
use crate::command::RankLayout;
use crate::state::JobHosts;
use model::{ProcessSet, Rank};
use serde_json::json;
use std::sync::Arc;

/// The most ranks whose coordinates are listed, and the most hosts whose ranks are.
const MOST: usize = 64;

/// The layout with the places of some ranks in it.
#[derive(Clone, Debug, PartialEq)]
pub struct LayoutReport {
    layout: RankLayout,
    ranks: ProcessSet,
    coordinates: Vec<(Rank, Vec<u32>)>,
    /// The first of the hosts of the ranks, with those that are on them.
    hosts: Vec<(Arc<str>, ProcessSet)>,
    /// The number of their hosts.
    host_count: usize,
}

impl LayoutReport {
    /// Describes where these ranks are.
    pub fn new(layout: &RankLayout, ranks: ProcessSet, of_job: &JobHosts) -> Self {
        let coordinates = match layout {
            RankLayout::Grid(grid) => {
                ranks.iter().take(MOST).filter_map(|rank| Some((rank, grid.coordinates(rank.0)?))).collect()
            }
            RankLayout::Plain | RankLayout::Hosts => Vec::new(),
        };
        let mut hosts = Vec::new();
        let mut host_count = 0;
        if *layout == RankLayout::Hosts {
            for host in of_job.iter().filter(|host| host.ranks.meets(&ranks)) {
                host_count += 1;
                if hosts.len() < MOST {
                    hosts.push((host.name.clone(), host.ranks.intersection(&ranks)));
                }
            }
        }
        Self { layout: layout.clone(), ranks, coordinates, hosts, host_count }
    }

    pub(super) fn text(&self) -> Vec<String> {
        let mut lines = match &self.layout {
            RankLayout::Plain => vec!["layout none: ranks in the order of their numbers".to_owned()],
            RankLayout::Grid(grid) => vec![format!("layout {grid}: the last dimension is the fastest")],
            RankLayout::Hosts => vec!["layout hosts: ranks by the hosts on which they run".to_owned()],
        };
        lines.extend(self.hosts.iter().map(|(host, ranks)| of(ranks, host_text(host))));
        if self.host_count > self.hosts.len() {
            let left = self.host_count - self.hosts.len();
            lines.push(format!("  {left} more hosts; `[RANKS] layout` shows those of some"));
        }
        lines.extend(self.coordinates.iter().map(|(rank, at)| of(&ProcessSet::one(*rank), coordinates_text(at))));
        let left = self.ranks.len().saturating_sub(self.coordinates.len());
        if left > 0 && !self.coordinates.is_empty() {
            lines.push(format!("  {left} more; `[RANKS] layout` shows those of some"));
        }
        lines
    }

    pub(super) fn json(&self) -> Object {
        let object = Object::of_type("layout").ranks(&self.ranks).with("layout", self.layout.word());
        let each: Vec<_> = self.coordinates.iter().map(|(rank, at)| json!({"rank": rank.0, "at": at})).collect();
        let object = object.maybe("coordinates", Some(each).filter(|each| !each.is_empty()));
        let hosts: Vec<_> =
            self.hosts.iter().map(|(host, ranks)| json!({"host": **host, "ranks": ranks.to_string()})).collect();
        object.maybe("hosts", Some(hosts).filter(|hosts| !hosts.is_empty()))
    }
}

/// A host's name, or that it is not known.
pub fn host_text(name: &str) -> &str {
    if name.is_empty() { "<unknown host>" } else { name }
}

/// Formats `(2,1)`.
pub fn coordinates_text(at: &[u32]) -> String {
    let each: Vec<String> = at.iter().map(u32::to_string).collect();
    format!("({})", each.join(","))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::RankTable;
    use model::CartesianGrid;

    #[test]
    fn coordinates_of_the_first_ranks_are_listed() {
        let layout = RankLayout::Grid(CartesianGrid::parse("10x10").unwrap());
        let report = LayoutReport::new(&layout, ProcessSet::range(12, 100), &JobHosts::default());
        let lines = report.text();
        assert_eq!(lines[..2], ["layout 10x10: the last dimension is the fastest", "[12] (1,2)"]);
        assert_eq!((lines.len(), lines[65].as_str()), (66, "  24 more; `[RANKS] layout` shows those of some"));
        let json = serde_json::to_value(report.json()).unwrap();
        assert_eq!((&json["layout"], &json["coordinates"][0]), (&json!("10x10"), &json!({"rank": 12, "at": [1, 2]})));
    }

    #[test]
    fn the_first_hosts_of_the_ranks_are_listed() {
        let mut table = RankTable::new(200);
        for rank in 0..199 {
            table.set_host(&ProcessSet::one(Rank(rank)), &format!("node{:02}", rank % 66));
        }
        let report = |ranks| LayoutReport::new(&RankLayout::Hosts, ranks, table.hosts());
        let lines = report(ProcessSet::range(66, 200)).text();
        assert_eq!(lines[..2], ["layout hosts: ranks by the hosts on which they run", "[66-198:66] node00"]);
        assert_eq!((lines.len(), lines[65].as_str()), (66, "  3 more hosts; `[RANKS] layout` shows those of some"));
        let some = report(ProcessSet::range(198, 200));
        assert_eq!(some.text()[1..], ["[198] node00", "[199] <unknown host>"]);
        let json = serde_json::to_value(some.json()).unwrap();
        assert_eq!(json["hosts"], json!([{"host": "node00", "ranks": "198"}, {"host": "", "ranks": "199"}]));
    }
}
