//! The arrangement of ranks on the screen, as text and JSON.

use super::json_object::Object;
use super::text_words::of;
use crate::command::RankLayout;
use model::{ProcessSet, Rank};
use serde_json::json;

/// The most ranks whose coordinates are listed.
const MOST: usize = 64;

/// The layout with the places of some ranks in it.
#[derive(Clone, Debug, PartialEq)]
pub struct LayoutReport {
    layout: RankLayout,
    ranks: ProcessSet,
    coordinates: Vec<(Rank, Vec<u32>)>,
}

impl LayoutReport {
    /// Describes where these ranks are.
    pub fn new(layout: &RankLayout, ranks: ProcessSet) -> Self {
        let coordinates = match layout {
            RankLayout::Grid(grid) => {
                ranks.iter().take(MOST).filter_map(|rank| Some((rank, grid.coordinates(rank.0)?))).collect()
            }
            RankLayout::Plain => Vec::new(),
        };
        Self { layout: layout.clone(), ranks, coordinates }
    }

    pub(super) fn text(&self) -> Vec<String> {
        let mut lines = match &self.layout {
            RankLayout::Plain => vec!["layout none: ranks in the order of their numbers".to_owned()],
            RankLayout::Grid(grid) => vec![format!("layout {grid}: the last dimension is the fastest")],
        };
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
        object.maybe("coordinates", Some(each).filter(|each| !each.is_empty()))
    }
}

/// Formats `(2,1)`.
pub fn coordinates_text(at: &[u32]) -> String {
    let each: Vec<String> = at.iter().map(u32::to_string).collect();
    format!("({})", each.join(","))
}

#[cfg(test)]
mod tests {
    use super::*;
    use model::CartesianGrid;

    #[test]
    fn coordinates_of_the_first_ranks_are_listed() {
        let layout = RankLayout::Grid(CartesianGrid::parse("10x10").unwrap());
        let report = LayoutReport::new(&layout, ProcessSet::range(12, 100));
        let lines = report.text();
        assert_eq!(lines[..2], ["layout 10x10: the last dimension is the fastest", "[12] (1,2)"]);
        assert_eq!((lines.len(), lines[65].as_str()), (66, "  24 more; `[RANKS] layout` shows those of some"));
        let json = serde_json::to_value(report.json()).unwrap();
        assert_eq!((&json["layout"], &json["coordinates"][0]), (&json!("10x10"), &json!({"rank": 12, "at": [1, 2]})));
    }
}
