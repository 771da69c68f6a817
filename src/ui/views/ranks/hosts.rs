//! The arrangement of ranks by the hosts on which they run.

use super::grid::{digits, letter_columns, round_numbers};
use super::part::{Part, Span};
use super::shown_hosts::{ShownHosts, count};
use super::view_state::Density;
use crate::screen::{columns, fit_middle};
use controller::report::host_text;
use controller::state::{JobHost, JobHosts};
use model::{ProcessSet, Rank, RankCells};

/// The cells of the hosts in an area.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct HostGrid {
    cells: CellsOf,
    /// Cells in a row.
    pub(super) columns: u32,
    /// Rows of cells.
    pub(crate) rows: usize,
    /// Columns of the terminal for a cell with the rank's number; `None`: a letter each.
    pub(super) numbered: Option<u16>,
    /// Columns of the terminal for the host's name before a row.
    pub(super) label: u16,
}

/// The ranks or hosts that a cell stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum CellsOf {
    /// So many ranks of a host, which has rows of its own.
    Ranks(u32),
    /// So many hosts with all their ranks.
    Hosts(u32),
}

/// The fewest and the most columns for the names of hosts.
const NAME_COLUMNS: (u16, u16) = (8, 24);

impl HostGrid {
    /// Fits the hosts into an area: with numbers if these fit and the mode allows them, else with a letter for one rank,
    /// for several ranks of a host, or for hosts. The sign of a rank behind its number takes `sign` columns.
    pub(super) fn new(
        (width, height): (u16, u16),
        hosts: &ShownHosts<'_>,
        size: u32,
        density: Density,
        sign: u16,
    ) -> Self {
        let (fewest, most) = NAME_COLUMNS;
        let all = hosts.all();
        let names = all.widest().max(if all.known().count() < all.len() { columns(host_text("")) } else { 0 });
        let room = (width / 4).clamp(fewest, most).min(width / 2);
        let label = u16::try_from(names).unwrap_or(room).min(room) + 1;
        let cell = digits(size.saturating_sub(1)) + 1 + sign;
        let numbered = || {
            let fitting = u32::from((width.saturating_sub(label) / cell).max(1));
            let largest = hosts.iter().map(|host| hosts.count(host)).max().unwrap_or(0);
            let columns = if fitting >= largest || fitting < 8 { fitting } else { fitting / 8 * 8 };
            Self { cells: CellsOf::Ranks(1), columns, rows: 0, numbered: Some(cell), label }.with_rows(hosts)
        };
        let columns = letter_columns(width.saturating_sub(label));
        let lettered = |cells| Self { cells, columns, rows: 0, numbered: None, label }.with_rows(hosts);
        let height = usize::from(height.max(1));
        let together = || {
            let of: fn(u32) -> CellsOf = if hosts.len() > height { CellsOf::Hosts } else { CellsOf::Ranks };
            let fitting = round_numbers().map(|number| lettered(of(number))).find(|grid| grid.rows <= height);
            fitting.unwrap_or_else(|| lettered(of(u32::MAX)))
        };
        match density {
            Density::Numbers => numbered(),
            Density::Letters => lettered(CellsOf::Ranks(1)),
            Density::Together => together(),
            // Not even a row for each: the ranks need not be counted.
            Density::Automatic if hosts.len() > height => together(),
            Density::Automatic => Some(numbered()).filter(|grid| grid.rows <= height).unwrap_or_else(together),
        }
    }

    fn with_rows(self, hosts: &ShownHosts<'_>) -> Self {
        let rows = match self.cells {
            CellsOf::Ranks(_) => hosts.iter().map(|host| self.rows_of(hosts.count(host)) as usize).sum(),
            CellsOf::Hosts(number) => hosts.len().div_ceil(number as usize).div_ceil(self.columns as usize),
        };
        Self { rows, ..self }
    }

    /// The rows of so many ranks of a host that has rows of its own.
    fn rows_of(&self, ranks: u32) -> u32 {
        let CellsOf::Ranks(number) = self.cells else { return 0 };
        ranks.div_ceil(number).div_ceil(self.columns)
    }

    /// The ranks or hosts that a cell stands for, if it is more than one rank.
    pub(super) fn words(&self) -> Option<String> {
        match self.cells {
            CellsOf::Ranks(1) => None,
            CellsOf::Ranks(number) => Some(format!("{number} ranks a cell")),
            CellsOf::Hosts(1) => Some("a host a cell".to_owned()),
            CellsOf::Hosts(number) => Some(format!("{number} hosts a cell")),
        }
    }
}

/// The rows of hosts that are shown.
#[derive(Clone, Debug)]
pub(crate) struct HostRows<'a> {
    pub(super) grid: HostGrid,
    hosts: ShownHosts<'a>,
    /// The place of the first host of each, and the row among those of that host.
    shown: Vec<(usize, u32)>,
}

impl<'a> HostRows<'a> {
    /// So many rows after the first ones.
    pub(super) fn new(grid: HostGrid, hosts: ShownHosts<'a>, top: usize, height: u16) -> Self {
        let mut rows = Self { grid, hosts, shown: Vec::new() };
        rows.shown = rows.rows_from(top, height.into());
        rows
    }

    fn rows_from(&self, top: usize, height: usize) -> Vec<(usize, u32)> {
        let grid = &self.grid;
        if let CellsOf::Hosts(number) = grid.cells {
            let in_row = number as usize * grid.columns as usize;
            return (top..grid.rows.min(top.saturating_add(height))).map(|row| (row * in_row, 0)).collect();
        }
        let mut above = 0;
        let mut rows = Vec::new();
        for (place, host) in self.hosts.iter().enumerate() {
            let own = grid.rows_of(self.hosts.count(host));
            let from = u32::try_from(top.saturating_sub(above)).unwrap_or(u32::MAX);
            rows.extend((from..own).map(|row| (place, row)).take(height - rows.len()));
            if rows.len() == height {
                break;
            }
            above += own as usize;
        }
        rows
    }

    /// The name of the host with which a row begins, in the columns for it; nothing in the further rows of a host.
    pub(super) fn label(&self, row: u16, cut: char) -> Option<String> {
        let &(place, row) = self.shown.get(usize::from(row))?;
        let room = usize::from(self.grid.label) - 1;
        Some(if row == 0 { short_name(&self.hosts.get(place)?.name, room, cut) } else { String::new() })
    }

    /// The ranks of a cell; `None` if there is none there.
    pub(super) fn ranks(&self, row: u16, column: u32) -> Option<ProcessSet> {
        self.ranks_in(*self.shown.get(usize::from(row))?, column)
    }

    fn ranks_in(&self, (place, row): (usize, u32), column: u32) -> Option<ProcessSet> {
        if column >= self.grid.columns {
            return None;
        }
        match self.grid.cells {
            CellsOf::Ranks(number) => {
                let cell = row.checked_mul(self.grid.columns)?.checked_add(column)?;
                let ranks = self.hosts.slice(self.hosts.get(place)?, cell.checked_mul(number)?, number);
                (!ranks.is_empty()).then_some(ranks)
            }
            CellsOf::Hosts(number) => {
                let first = (column as usize).checked_mul(number as usize)?.checked_add(place)?;
                let places = first..first.saturating_add(number as usize).min(self.hosts.len());
                let each = places.filter_map(|place| self.hosts.get(place));
                each.map(|host| host.ranks.clone()).reduce(|mut all, ranks| {
                    all.extend_with(&ranks);
                    all
                })
            }
        }
    }

    /// The row of a rank among all rows, and its column.
    pub(super) fn place_of(&self, rank: u32) -> (usize, u32) {
        let (grid, place) = (&self.grid, self.hosts.place_of(rank));
        match self.grid.cells {
            CellsOf::Ranks(number) => {
                let hosts = &self.hosts;
                let above =
                    hosts.iter().take(place).map(|host| grid.rows_of(hosts.count(host)) as usize).sum::<usize>();
                let before = hosts.get(place).map_or(0, |host| hosts.place_on(host, rank));
                let cell = before / number;
                (above + (cell / grid.columns) as usize, cell % grid.columns)
            }
            CellsOf::Hosts(number) => {
                let cell = place / number as usize;
                (cell / grid.columns as usize, (cell % grid.columns as usize) as u32)
            }
        }
    }

    /// The ranks that share the cell of a rank.
    pub(super) fn cell_of(&self, rank: u32) -> ProcessSet {
        let (row, column) = self.place_of(rank);
        let row = self.rows_from(row, 1).first().copied();
        row.and_then(|row| self.ranks_in(row, column)).unwrap_or_else(|| ProcessSet::one(Rank(rank)))
    }

    /// The quarter of the shown part around a rank; `None` if each cell is one rank.
    pub(super) fn closer(&self, rank: u32) -> Option<Part> {
        let (places, place) = (self.hosts.places(), self.hosts.place_of(rank));
        let at = places.from + place as u32;
        match self.grid.cells {
            CellsOf::Ranks(1) => None,
            CellsOf::Ranks(number) if places.len <= 1 => {
                let host = self.hosts.get(place)?;
                let ranks = self.hosts.ranks().unwrap_or(Span::new(0, count(host)));
                let on_host = ranks.from + self.hosts.place_on(host, rank);
                (ranks.len > 1).then(|| Part::OfHost(at, ranks.around(on_host, number, 4)))
            }
            CellsOf::Ranks(_) => Some(Part::Hosts(places.around(at, 1, 4))),
            CellsOf::Hosts(number) => Some(Part::Hosts(places.around(at, number, 4))),
        }
    }

    /// The part with the ranks of the cell that contains a rank; `None` if it is one rank.
    pub(super) fn inside(&self, rank: u32) -> Option<Part> {
        if self.cell_of(rank).len() <= 1 {
            return None;
        }
        let (places, place) = (self.hosts.places(), self.hosts.place_of(rank));
        let at = places.from + place as u32;
        let (part, is_smaller) = match self.grid.cells {
            CellsOf::Ranks(number) => {
                let host = self.hosts.get(place)?;
                let ranks = self.hosts.ranks().unwrap_or(Span::new(0, count(host)));
                let cell = ranks.cell(ranks.from + self.hosts.place_on(host, rank), number, count(host));
                (Part::OfHost(at, cell), places.len > 1 || cell != ranks)
            }
            CellsOf::Hosts(number) => {
                let cell = places.cell(at, number, self.hosts.all().len() as u32);
                (Part::Hosts(cell), cell != places)
            }
        };
        if is_smaller { Some(part) } else { self.closer(rank) }
    }

    /// The first rank of the cell so many cells down and to the right; in a shorter row it is that of the last cell. At the
    /// end of a row it stays; above the first row and below the last one are the ranks that are not shown.
    pub(super) fn step(&self, rank: u32, down: i64, right: i64) -> u32 {
        let (row, column) = self.place_of(rank);
        let at_edge = if down < 0 { row == 0 } else { down > 0 && row + 1 >= self.grid.rows };
        if at_edge && let Some(beyond) = self.hosts.beyond(down > 0) {
            return beyond;
        }
        let moved = |at: i64, by: i64, count: i64| at.saturating_add(by).clamp(0, count.saturating_sub(1).max(0));
        let to_row = moved(row as i64, down, self.grid.rows as i64) as usize;
        let to_column = moved(column.into(), right, self.grid.columns.into()) as u32;
        let Some(in_row) = self.rows_from(to_row, 1).first().copied() else { return rank };
        let cell = (0..=to_column).rev().find_map(|column| Some((column, self.ranks_in(in_row, column)?)));
        match cell {
            Some((to_column, ranks)) if (to_row, to_column) != (row, column) => ranks.first().map_or(rank, |to| to.0),
            _ => rank,
        }
    }

    /// The host of a rank.
    pub(super) fn host_of(&self, rank: u32) -> Option<&'a JobHost> {
        self.hosts.get(self.hosts.place_of(rank))
    }

    /// The cells that are shown, for the numbers of their ranks; `None` if no picture of ranks has such cells.
    pub(super) fn coloured_cells(&self, size: u32) -> Option<RankCells> {
        let singles = RankCells::of_each(size);
        let (places, of_host) = (self.hosts.places(), self.hosts.ranks());
        match (self.grid.cells, Shape::of(self.hosts.all())) {
            (CellsOf::Ranks(1), Shape::InOrder | Shape::Equal(_)) => {
                let at = |row: &(usize, u32), column| self.ranks_in(*row, column);
                let from = at(self.shown.first()?, 0)?.first()?.0;
                let last = self.shown.last()?;
                let end = (0..self.grid.columns).rev().find_map(|column| at(last, column))?.last()?.0;
                Some(RankCells::new(from, (1, end - from + 1), (1, 1)))
            }
            (CellsOf::Ranks(number), Shape::InOrder | Shape::Equal(_)) if places.len == 1 => {
                let host = self.hosts.get(0)?;
                let first = host.ranks.first()?.0 + of_host.map_or(0, |ranks| ranks.from);
                Some(RankCells::new(first, (1, self.hosts.count(host)), (1, number)))
            }
            (CellsOf::Ranks(number), Shape::Equal(each)) => {
                Some(RankCells::new(places.from.saturating_mul(each), (places.len, each), (1, number)))
            }
            (CellsOf::Hosts(number), Shape::Equal(each)) => {
                let ranks = (1, places.len.saturating_mul(each));
                Some(RankCells::new(places.from.saturating_mul(each), ranks, (1, number.saturating_mul(each))))
            }
            _ => singles.are_single().then_some(singles),
        }
    }
}

/// How the ranks are distributed over the hosts.
enum Shape {
    /// The same number of consecutive ranks on each.
    Equal(u32),
    /// Consecutive ranks on each.
    InOrder,
    Other,
}

impl Shape {
    fn of(hosts: &JobHosts) -> Self {
        let (mut next, mut equal) = (0, None);
        for host in hosts.iter() {
            let (first, last, count) = (host.ranks.first(), host.ranks.last(), count(host));
            if first != Some(Rank(next)) || last.is_none_or(|last| last.0 - next + 1 != count) {
                return Self::Other;
            }
            next += count;
            equal = Some(equal.map_or(count, |known| if known == count { count } else { 0 }));
        }
        equal.filter(|count| *count > 0).map_or(Self::InOrder, Self::Equal)
    }
}

/// A host's name in so many columns: without its domain if that does not fit, and then without its middle, since names of
/// one cluster differ in the numbers at their ends.
fn short_name(name: &str, room: usize, cut: char) -> String {
    let name = host_text(name);
    if columns(name) <= room {
        return name.to_owned();
    }
    let is_address = name.contains(':') || name.chars().all(|c| c.is_ascii_digit() || c == '.');
    let own = name.split('.').next().filter(|own| !own.is_empty() && !is_address).unwrap_or(name);
    fit_middle(own, room, cut)
}

#[cfg(test)]
mod tests {
    use super::*;
    use controller::state::RankTable;
    use proptest::prelude::*;

    /// Hosts `n0`, `n1` and so on, with so many consecutive ranks each; the host of the last ones is not known.
    fn table(counts: &[u32], unknown: u32) -> RankTable {
        let size: u32 = counts.iter().sum::<u32>() + unknown;
        let mut table = RankTable::new(size);
        let mut next = 0;
        for (host, count) in counts.iter().enumerate() {
            table.set_host(&ProcessSet::range(next, next + count), &format!("n{host}"));
            next += count;
        }
        table
    }

    fn all(table: &RankTable) -> ShownHosts<'_> {
        ShownHosts::new(table.hosts(), Part::Hosts(Span::new(0, table.hosts().len() as u32)))
    }

    fn grid(area: (u16, u16), table: &RankTable, density: Density) -> HostGrid {
        HostGrid::new(area, &all(table), table.len() as u32, density, 1)
    }

    #[test]
    fn a_host_has_a_row_as_long_as_hosts_fit() {
        let two = table(&[4, 4], 0);
        let shown = grid((80, 5), &two, Density::Automatic);
        assert_eq!((shown.cells, shown.rows, shown.numbered, shown.label), (CellsOf::Ranks(1), 2, Some(3), 3));
        let large = table(&[1000, 24], 0);
        assert_eq!(grid((80, 5), &large, Density::Automatic).cells, CellsOf::Ranks(5));
        assert_eq!(grid((80, 5), &large, Density::Letters).rows, 21);
        let many = table(&[16; 30], 0);
        let shown = grid((80, 5), &many, Density::Automatic);
        assert_eq!((shown.cells, shown.rows), (CellsOf::Hosts(1), 1));
        assert_eq!(grid((80, 5), &table(&[2; 1024], 0), Density::Automatic).cells, CellsOf::Hosts(5));
    }

    #[test]
    fn a_million_ranks_on_a_thousand_hosts_cost_what_their_cells_do() {
        let table = table(&[1024; 1024], 0);
        let begun = std::time::Instant::now();
        for _ in 0..100 {
            let grid = grid((80, 20), &table, Density::Automatic);
            let rows = HostRows::new(grid, all(&table), 0, 20);
            let cells = (0..20).flat_map(|row| (0..50).map(move |column| (row, column)));
            let ranks: usize = cells.filter_map(|(row, column)| rows.ranks(row, column)).map(|ranks| ranks.len()).sum();
            assert_eq!(ranks, 1 << 20);
            assert_eq!(rows.step(1 << 19, 1, 0), (1 << 19) + 50 * 2 * 1024);
        }
        // A pass over all ranks takes 100 times as long.
        assert!(begun.elapsed().as_secs() < 10, "{:?}", begun.elapsed());
    }

    #[test]
    fn the_cursor_stays_among_the_cells() {
        let table = table(&[5, 2], 1);
        let grid = grid((80, 5), &table, Density::Automatic);
        let rows = HostRows::new(grid, all(&table), 0, 5);
        assert_eq!([rows.step(0, 1, 0), rows.step(4, 1, 0), rows.step(5, 1, 0), rows.step(7, 9, 9)], [5, 6, 7, 7]);
        assert_eq!([rows.step(0, -1, 0), rows.step(4, 0, 1), rows.step(3, 0, -9)], [0, 4, 0]);
        assert_eq!([0, 1, 2].map(|row| rows.label(row, '…').unwrap()), ["n0", "n1", "<unknown host>"]);
        assert_eq!((rows.label(3, '…'), rows.host_of(7).map(|host| &*host.name)), (None, Some("")));
    }

    #[test]
    fn long_names_lose_their_domain_and_then_their_middle() {
        let short = |name, room| short_name(name, room, '…');
        assert_eq!(short("node0017.cluster.example.org", 40), "node0017.cluster.example.org");
        assert_eq!(short("node0017.cluster.example.org", 12), "node0017");
        assert_eq!(short("a-cluster-with-a-name-0017.example.org", 12), "a-clus…-0017");
        assert_eq!(short("192.168.100.117", 9), "192.1…117");
        assert_eq!(short("", 8), "<unk…st>");
    }

    proptest! {
        #[test]
        fn every_rank_has_one_cell(
            width in 12u16..120, height in 1u16..20, of in proptest::collection::vec(0u32..70, 0..30), density in 0usize..4,
        ) {
            // Hosts in the order of the list, with every seventh rank of unknown host.
            let mut table = RankTable::new(of.len() as u32 * 3);
            for (host, ranks) in of.iter().enumerate().filter(|(host, _)| host % 7 != 6) {
                for rank in [ranks % (of.len() as u32 * 3), host as u32] {
                    table.set_host(&ProcessSet::one(Rank(rank)), &format!("n{}", host / 2));
                }
            }
            let density = [Density::Automatic, Density::Numbers, Density::Letters, Density::Together][density];
            let grid = grid((width, height), &table, density);
            if matches!(density, Density::Automatic | Density::Together) {
                prop_assert!(grid.rows <= usize::from(height));
            }
            let rows = HostRows::new(grid, all(&table), 0, 200);
            let mut all = ProcessSet::new();
            let mut count = 0;
            for row in 0..200 {
                for column in 0..grid.columns {
                    let Some(ranks) = rows.ranks(row, column) else { continue };
                    prop_assert_eq!(rows.place_of(ranks.first().unwrap().0), (usize::from(row), column));
                    prop_assert_eq!(&rows.cell_of(ranks.last().unwrap().0), &ranks);
                    count += ranks.len();
                    all.extend_with(&ranks);
                }
            }
            prop_assert_eq!((all, count), (ProcessSet::all(table.len() as u32), table.len()));
        }
    }
}
