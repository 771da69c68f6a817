//! Arrangements of ranks, also of parts of them.

use super::arrangement::Arrangement;
use super::grid;
use super::hosts::{HostGrid, HostRows};
use super::part::{Part, Span};
use super::plane::Plane;
use super::shown_hosts::ShownHosts;
use super::view_state::Density;
use controller::state::RankTable;
use model::{CartesianGrid, ProcessSet, Rank};
use proptest::prelude::*;
use std::collections::BTreeSet;

fn whole_plane(area: (u16, u16), grid: &CartesianGrid, sign: u16) -> Plane {
    let (rows, columns) = grid.plane();
    Plane::new(area, grid, (Span::new(0, rows), Span::new(0, columns)), Density::Automatic, sign)
}

#[test]
fn places_between_cells_have_no_rank() {
    let part = Span::new(0, 100);
    let rows = |grid| Arrangement::Rows { grid, first: 0, height: 2, part, size: 100 };
    let letters = rows(grid::grid((80, 2), part, Density::Automatic, 1));
    // Four columns for the label, ten cells, a gap.
    assert_eq!([3, 4, 13, 14, 15].map(|column| letters.rank_at(column, 0)), [None, Some(0), Some(9), None, Some(10)]);
    assert_eq!([letters.rank_at(4, 1), letters.rank_at(4, 2)], [Some(50), None]);
    let plane = whole_plane((80, 6), &CartesianGrid::parse("2x4x3").unwrap(), 1);
    let plane = Arrangement::Plane(plane, 12);
    assert_eq!(
        [2, 3, 6, 7, 14, 15].map(|column| plane.rank_at(column, 1)),
        [None, Some(15), Some(15), Some(16), Some(17), None]
    );
    assert_eq!(plane.rank_at(3, 4), None);
}

/// Ranks in the order of their numbers, as the last plane of a grid, or by their hosts.
#[derive(Debug)]
enum Job {
    Plain(u32),
    Grid(CartesianGrid),
    Hosts(RankTable),
}

impl Job {
    fn of(kind: u8, planes: u32, rows: u32, columns: u32) -> Self {
        let size = planes * rows * columns;
        match kind {
            0 => Self::Plain(size),
            1 => Self::Grid(CartesianGrid::new(vec![planes, rows, columns]).unwrap()),
            _ => {
                // Hosts with the same number of ranks each, or none; the host of the last ones is not known.
                let mut table = RankTable::new(size + u32::from(kind == 3));
                for host in 0..rows {
                    let ranks = ProcessSet::range(host * planes * columns, (host + 1) * planes * columns);
                    table.set_host(&ranks, &format!("n{host}"));
                }
                Self::Hosts(table)
            }
        }
    }

    fn size(&self) -> u32 {
        match self {
            Self::Plain(size) => *size,
            Self::Grid(grid) => grid.size(),
            Self::Hosts(table) => table.len() as u32,
        }
    }

    fn first(&self) -> u32 {
        if let Self::Grid(grid) = self { grid.size() - grid.plane().0 * grid.plane().1 } else { 0 }
    }

    fn whole(&self) -> Part {
        match self {
            Self::Plain(size) => Part::Ranks(Span::new(0, *size)),
            Self::Grid(grid) => {
                Part::Plane { rows: Span::new(0, grid.plane().0), columns: Span::new(0, grid.plane().1) }
            }
            Self::Hosts(table) => Part::Hosts(Span::new(0, table.hosts().len() as u32)),
        }
    }

    fn ranks(&self, part: Part) -> ProcessSet {
        match (self, part) {
            (_, Part::Ranks(ranks)) => ProcessSet::range(ranks.from, ranks.end()),
            (Self::Grid(grid), Part::Plane { rows, columns }) => {
                let place = |row, column| self.first() + row * grid.plane().1 + column;
                let all = (rows.from..rows.end())
                    .flat_map(|row| (columns.from..columns.end()).map(move |column| Rank(place(row, column))));
                all.collect()
            }
            (Self::Hosts(table), Part::Hosts(hosts)) => {
                let hosts = (hosts.from..hosts.end()).filter_map(|host| table.hosts().get(host as usize));
                hosts.fold(ProcessSet::new(), |all, host| all.union(&host.ranks))
            }
            (Self::Hosts(table), Part::OfHost(host, ranks)) => {
                table.hosts().get(host as usize).unwrap().ranks.slice(ranks.from, ranks.len)
            }
            _ => panic!("{part:?} of {self:?}"),
        }
    }

    fn arranged(&self, (width, height): (u16, u16), part: Part, sign: u16) -> Arrangement<'_> {
        let (area, density) = ((width, height), Density::Automatic);
        match (self, part) {
            (Self::Plain(size), Part::Ranks(part)) => {
                let grid = grid::grid(area, part, density, sign);
                Arrangement::Rows { grid, first: 0, height, part, size: *size }
            }
            (Self::Grid(grid), Part::Plane { rows, columns }) => {
                Arrangement::Plane(Plane::new(area, grid, (rows, columns), density, sign), self.first())
            }
            (Self::Hosts(table), part) => {
                let hosts = ShownHosts::new(table.hosts(), part);
                let grid = HostGrid::new(area, &hosts, self.size(), density, sign);
                Arrangement::Hosts(HostRows::new(grid, hosts, 0, height))
            }
            _ => panic!("{part:?} of {self:?}"),
        }
    }
}

fn cells(arrangement: &Arrangement<'_>, (width, height): (u16, u16)) -> Vec<ProcessSet> {
    let row = |row| (0..u32::from(width)).map_while(move |column| arrangement.ranks(row, column));
    (0..height).flat_map(row).collect()
}

proptest! {
    #[test]
    fn zooming_shows_fewer_ranks_until_each_has_a_cell(
        area in (12u16..120, 1u16..20), job in (0u8..4, 1u32..3, 1u32..150, 1u32..150), sign in 1u16..3,
        steps in proptest::collection::vec((0.0f64..1.0, any::<bool>()), 0..24),
    ) {
        let job = Job::of(job.0, job.1, job.2, job.3);
        let mut part = job.whole();
        for (share, into_cell) in steps {
            let arrangement = job.arranged(area, part, sign);
            let cells = cells(&arrangement, area);
            let all = cells.iter().fold(ProcessSet::new(), |all, cell| all.union(cell));
            prop_assert_eq!(&all, &job.ranks(part), "the cells have the ranks of {:?}", part);
            prop_assert_eq!(cells.iter().map(ProcessSet::len).sum::<usize>(), all.len(), "once each");
            let coloured = arrangement.coloured_cells(job.size());
            let mut seen = BTreeSet::new();
            for cell in &cells {
                let first = cell.first().unwrap().0;
                prop_assert_eq!(&arrangement.cell_of(first), cell);
                let Some(coloured) = coloured.filter(|coloured| !coloured.are_single()) else { continue };
                let of: BTreeSet<_> = cell.iter().map(|rank| coloured.of(rank)).collect();
                prop_assert_eq!(of.len(), 1, "ranks of a cell of the screen are in one cell of the picture");
                prop_assert!(seen.insert(of.into_iter().next().flatten().unwrap()), "and no others");
            }
            let rank = all.nth((all.len() as f64 * share) as u32).unwrap().0;
            let next = if into_cell { arrangement.inside(rank) } else { arrangement.closer(rank) };
            let Some(next) = next else {
                let is_single = arrangement.cell_of(rank).len() == 1;
                prop_assert!(is_single && (into_cell || cells.iter().all(|cell| cell.len() == 1)));
                continue;
            };
            let inner = job.ranks(next);
            prop_assert!(inner.is_subset(&all) && inner.contains(Rank(rank)), "{part:?} {next:?}");
            prop_assert!(inner.len() < all.len() || job.ranks(part).len() == 1, "{part:?} {next:?}");
            part = next;
        }
    }

    #[test]
    fn the_cells_of_the_screen_are_those_that_are_asked_for(
        width in 12u16..200, height in 1u16..40, rows in 1u32..300, columns in 1u32..300, planes in 1u32..3,
        flat in any::<bool>(), sign in 1u16..3,
    ) {
        let job = Job::of(u8::from(!flat), planes, rows, columns);
        let arrangement = job.arranged((width, height), job.whole(), sign);
        let cells = arrangement.coloured_cells(job.size()).unwrap();
        let mut seen = BTreeSet::new();
        for ranks in self::cells(&arrangement, (width, height)) {
            let of: BTreeSet<_> = ranks.iter().map(|rank| cells.of(rank)).collect();
            prop_assert_eq!(of.len(), 1, "ranks of a cell of the screen are in one cell of the picture");
            prop_assert!(seen.insert(of.into_iter().next().flatten().unwrap()), "and no others");
            let first = ranks.first().unwrap().0;
            prop_assert_eq!(arrangement.cell_of(first), ranks);
        }
        for column in 0..width {
            if let Some(rank) = arrangement.rank_at(column, 0) {
                prop_assert_eq!(arrangement.cell_of(rank).first(), Some(Rank(rank)));
            }
        }
    }
}
