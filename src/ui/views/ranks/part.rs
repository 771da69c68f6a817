//! The part of the ranks that a zoomed map shows.

/// Neighbours in an order: ranks, the rows or columns of a plane, hosts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Span {
    /// The first.
    pub from: u32,
    /// Their number.
    pub len: u32,
}

/// The part of the ranks that a zoomed map shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// Ranks that follow each other.
    Ranks(Span),
    /// A rectangle of each plane of a grid of ranks.
    Plane {
        /// The rows of the plane.
        rows: Span,
        /// Its columns.
        columns: Span,
    },
    /// Hosts with all their ranks, by their places in the order of hosts.
    Hosts(Span),
    /// Some of the ranks of a host: its place, and the places of the ranks among its ranks.
    OfHost(u32, Span),
}

/// A rank's place in each arrangement.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct RankPlace {
    pub(super) rank: u32,
    /// Row and column in its plane.
    pub(super) in_plane: (u32, u32),
    /// The place of its host.
    pub(super) host: u32,
    /// Its place among the ranks of its host, and the number of these.
    pub(super) on_host: (u32, u32),
}

impl Span {
    pub(super) fn new(from: u32, len: u32) -> Self {
        Self { from, len }
    }

    pub(super) fn between(from: u32, end: u32) -> Self {
        Self { from, len: end.saturating_sub(from) }
    }

    /// The place behind the last.
    pub(super) fn end(self) -> u32 {
        self.from.saturating_add(self.len)
    }

    /// The nearest place within the span.
    pub(super) fn nearest(self, at: u32) -> u32 {
        at.min(self.end().saturating_sub(1)).max(self.from)
    }

    /// The cell of so many that contains a place. Cells begin with the span, and continue on both sides of it up to the
    /// ends of the whole.
    pub(super) fn cell(self, at: u32, size: u32, whole: u32) -> Self {
        let (from, size) = (i64::from(self.from), i64::from(size.max(1)));
        let first = from + (i64::from(at) - from).div_euclid(size) * size;
        let bound = |place: i64| u32::try_from(place.max(0)).unwrap_or(u32::MAX);
        let end = if at < self.end() { self.end() } else { whole };
        Self::between(bound(first), bound(first + size).min(end.max(at.saturating_add(1))))
    }

    /// Moves the span so that it shows a place, within another span. It moves by its whole length where it can: then cells
    /// keep their bounds.
    fn moved_to(self, at: u32, within: Self) -> Self {
        let len = self.len.min(within.len).max(1);
        let (from, step) = (i64::from(self.from), i64::from(len));
        let from = from + (i64::from(at) - from).div_euclid(step) * step;
        let last = within.end().saturating_sub(len).max(within.from);
        let from = from.clamp(within.from.into(), last.into());
        Self { from: u32::try_from(from).unwrap_or(within.from), len }
    }

    /// The share of the span around a place, in whole cells of so many. A single cell is divided.
    pub(super) fn around(self, at: u32, size: u32, share: u32) -> Self {
        let size = if self.len > size { size.max(1) } else { 1 };
        let cells = self.len.div_ceil(size);
        let kept = cells.div_ceil(share.max(1)).max(1);
        let cell = self.nearest(at).saturating_sub(self.from) / size;
        let first = cell.saturating_sub(kept / 2).min(cells.saturating_sub(kept));
        // Rows of many cells begin with round numbers.
        let round = first - first % 10;
        let first = if kept >= 20 && cell < round + kept { round } else { first };
        let from = self.from + first * size;
        Self { from, len: kept.saturating_mul(size).min(self.end().saturating_sub(from)) }
    }
}

impl Part {
    /// Moves the part so that it shows a rank, within another part; `None` if it is a part of another arrangement, or shows
    /// no less than the other one.
    fn moved_to(self, place: &RankPlace, within: Self) -> Option<Self> {
        let (on_host, all_on_host) = (place.on_host.0, Span::new(0, place.on_host.1));
        let moved = match (self, within) {
            (Self::Ranks(ranks), Self::Ranks(within)) => Self::Ranks(ranks.moved_to(place.rank, within)),
            (Self::Plane { rows, columns }, Self::Plane { rows: in_rows, columns: in_columns }) => {
                let (row, column) = place.in_plane;
                Self::Plane { rows: rows.moved_to(row, in_rows), columns: columns.moved_to(column, in_columns) }
            }
            (Self::Hosts(hosts), Self::Hosts(within)) => Self::Hosts(hosts.moved_to(place.host, within)),
            (Self::OfHost(_, ranks), Self::Hosts(_)) => Self::OfHost(place.host, ranks.moved_to(on_host, all_on_host)),
            (Self::OfHost(_, ranks), Self::OfHost(_, within)) => {
                Self::OfHost(place.host, ranks.moved_to(on_host, within))
            }
            _ => return None,
        };
        (moved != within).then_some(moved)
    }
}

/// The parts of a zoomed map, from the whole to the part that is shown, moved so that each shows a rank.
pub(super) fn showing(zoom: &[Part], whole: Part, place: &RankPlace) -> Vec<Part> {
    let mut parts = vec![whole];
    // The zoom of another arrangement, or of another job, means nothing in this one.
    let Some((_, inner)) = zoom.split_first().filter(|(of, _)| **of == whole) else { return parts };
    for part in inner {
        let outer = parts.last().copied().unwrap_or(whole);
        parts.extend(part.moved_to(place, outer));
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn at(rank: u32) -> RankPlace {
        RankPlace { rank, in_plane: (rank / 10, rank % 10), ..RankPlace::default() }
    }

    fn ranks(from: u32, end: u32) -> Part {
        Part::Ranks(Span::between(from, end))
    }

    #[test]
    fn parts_follow_the_rank_by_their_whole_length() {
        let zoom = [ranks(0, 1000), ranks(200, 400), ranks(240, 260)];
        assert_eq!(showing(&zoom, zoom[0], &at(259)), zoom);
        let beside = showing(&zoom, zoom[0], &at(260));
        assert_eq!(beside, [ranks(0, 1000), ranks(200, 400), ranks(260, 280)]);
        let far = showing(&zoom, zoom[0], &at(999));
        assert_eq!(far, [ranks(0, 1000), ranks(800, 1000), ranks(980, 1000)]);
        assert_eq!(showing(&far, zoom[0], &at(0)), [ranks(0, 1000), ranks(0, 200), ranks(0, 20)]);
        assert_eq!(showing(&zoom, ranks(0, 8), &at(3)), [ranks(0, 8)], "the zoom of another job");
        let square = |rows: (u32, u32), columns: (u32, u32)| Part::Plane {
            rows: Span::between(rows.0, rows.1),
            columns: Span::between(columns.0, columns.1),
        };
        let zoom = [square((0, 10), (0, 10)), square((0, 5), (4, 8))];
        assert_eq!(showing(&zoom, zoom[0], &at(79))[1], square((5, 10), (6, 10)), "at the edge it stays inside");
        assert_eq!(showing(&zoom, ranks(0, 100), &at(79)), [ranks(0, 100)], "the zoom of another arrangement");
    }

    #[test]
    fn a_share_of_many_cells_begins_with_a_round_number() {
        let all = Span::new(0, 65_536);
        assert_eq!(all.around(10_000, 15, 4), Span::new(1800, 1093 * 15));
        assert_eq!(all.around(65_535, 15, 4), Span::new(49_155, 16_381), "but contains the last cell");
    }

    #[test]
    fn ranks_of_a_host_follow_to_another_host() {
        let zoom = [Part::Hosts(Span::new(0, 4)), Part::OfHost(1, Span::new(8, 8))];
        let place = RankPlace { host: 2, on_host: (3, 32), ..RankPlace::default() };
        assert_eq!(showing(&zoom, zoom[0], &place)[1], Part::OfHost(2, Span::new(0, 8)));
        // A host with no more ranks than these is shown as a whole.
        let small = RankPlace { host: 3, on_host: (3, 5), ..RankPlace::default() };
        assert_eq!(showing(&zoom, zoom[0], &small)[1], Part::OfHost(3, Span::new(0, 5)));
    }

    proptest! {
        #[test]
        fn a_share_is_smaller_and_contains_its_place(
            from in 0u32..1000, len in 2u32..100_000, size in 1u32..5000, share in 2u32..5, at in 0.0f64..1.0,
        ) {
            let span = Span::new(from, len);
            let at = from + (f64::from(len - 1) * at) as u32;
            let part = span.around(at, size, share);
            prop_assert!(part.len > 0 && part.len < len);
            prop_assert!(part.from >= from && part.end() <= span.end());
            prop_assert!(part.from <= at && at < part.end());
            let cell = span.cell(at, size, span.end());
            prop_assert!(cell.from <= at && at < cell.end() && cell.end() <= span.end());
            if len > size {
                prop_assert!(part.from <= cell.from && cell.end() <= part.end(), "cells are not cut");
            }
        }

        #[test]
        fn each_part_shows_the_rank_within_the_part_before(
            size in 1u32..10_000, bounds in proptest::collection::vec((0u32..10_000, 1u32..5000), 0..5), rank in 0u32..10_000,
        ) {
            let rank = rank % size;
            let mut zoom = vec![ranks(0, size)];
            zoom.extend(bounds.into_iter().map(|(from, len)| Part::Ranks(Span::new(from, len))));
            let parts = showing(&zoom, zoom[0], &at(rank));
            for pair in parts.windows(2) {
                let [Part::Ranks(outer), Part::Ranks(inner)] = pair else { panic!("{pair:?}") };
                prop_assert!(outer.from <= inner.from && inner.end() <= outer.end() && inner.len < outer.len);
                prop_assert!(inner.from <= rank && rank < inner.end());
            }
            prop_assert_eq!(showing(&parts, zoom[0], &at(rank)), parts, "they stay where they are");
        }
    }
}
