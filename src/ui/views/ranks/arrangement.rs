//! The arrangement of the ranks in an area: which ranks each cell stands for, and where it is.

use super::cells::Cells;
use super::grid::{self, Grid};
use super::hosts::{HostGrid, HostRows};
use super::part::{Part, Span};
use super::plane::Plane;
use super::shown_hosts::ShownHosts;
use super::zoom;
use crate::screen::{Pen, columns};
use crate::theme::Role;
use crate::view::View;
use controller::State;
use controller::command::RankLayout;
use model::{ProcessSet, Rank, RankCells};
use ratatui::layout::Rect;

/// After so many cells there is a gap: it helps counting.
const GAP_AFTER: u32 = 10;

/// The arrangement of ranks.
#[derive(Clone, Debug)]
pub(crate) enum Arrangement<'a> {
    /// A plane of the grid of ranks, from its first rank on.
    Plane(Plane, u32),
    /// By the hosts on which they run.
    Hosts(HostRows<'a>),
    /// In the order of their numbers.
    Rows {
        grid: Grid,
        /// The first cell that is shown.
        first: u32,
        /// The rows that are shown.
        height: u16,
        /// The ranks that have cells.
        part: Span,
        /// The number of all ranks.
        size: u32,
    },
}

/// The columns of a sign behind the number of its rank.
fn sign_columns(state: &State) -> u16 {
    // A digit needs a sign between.
    if state.colour.is_some() { 2 } else { 1 }
}

/// The ranks that are shown, if they are in the order of their numbers.
fn ranks(state: &State, view: &View) -> Span {
    if let Part::Ranks(ranks) = zoom::shown(state, view) { ranks } else { Span::new(0, state.size()) }
}

/// The arrangement of the cells of ranks in the order of their numbers.
pub(super) fn grid(state: &State, view: &View, width: u16, height: u16) -> Grid {
    grid::grid((width, height), ranks(state, view), view.ranks.density, sign_columns(state))
}

/// The plane of the grid that is shown, in these rows; `None`: ranks are in the order of their numbers.
pub(super) fn plane(state: &State, view: &View, width: u16, height: u16) -> Option<Plane> {
    let grid = state.layout.grid(state.size()).filter(|grid| grid.dimensions().len() > 1)?;
    let Part::Plane { rows, columns } = zoom::shown(state, view) else { return None };
    Some(Plane::new((width, height), grid, (rows, columns), view.ranks.density, sign_columns(state)))
}

/// The hosts that are shown, if ranks are arranged by these.
fn shown_hosts<'a>(state: &'a State, view: &View) -> Option<ShownHosts<'a>> {
    let hosts = state.ranks.hosts();
    let is_shown = state.layout == RankLayout::Hosts && !hosts.is_empty();
    is_shown.then(|| ShownHosts::new(hosts, zoom::shown(state, view)))
}

/// The arrangement of the hosts, if ranks are arranged by these.
pub(super) fn hosts(state: &State, view: &View, width: u16, height: u16) -> Option<HostGrid> {
    let hosts = shown_hosts(state, view)?;
    Some(HostGrid::new((width, height), &hosts, state.size(), view.ranks.density, sign_columns(state)))
}

impl<'a> Arrangement<'a> {
    /// Arranges the ranks in an area for cells.
    pub(crate) fn of(state: &'a State, view: &View, area: Rect) -> Self {
        if let Some(plane) = plane(state, view, area.width, area.height) {
            return Self::Plane(plane, plane.first(view.ranks.cursor));
        }
        let shown = || Some((hosts(state, view, area.width, area.height)?, shown_hosts(state, view)?));
        if let Some((grid, hosts)) = shown() {
            return Self::Hosts(HostRows::new(grid, hosts, view.ranks.top, area.height));
        }
        let grid = grid(state, view, area.width, area.height);
        let first = u32::try_from(view.ranks.top).unwrap_or(u32::MAX).saturating_mul(grid.columns);
        Self::Rows { grid, first, height: area.height, part: ranks(state, view), size: state.size() }
    }

    /// The plane, if ranks are shown as one.
    pub(crate) fn plane(&self) -> Option<&Plane> {
        if let Self::Plane(plane, _) = self { Some(plane) } else { None }
    }

    /// The number of rows of cells, and the row of a rank among them.
    pub(crate) fn row_of(&self, rank: u32) -> (usize, usize) {
        match self {
            Self::Plane(plane, _) => {
                let rows = plane.cell_rows() as usize;
                (rows, plane.row_of(rank).min(rows.saturating_sub(1)))
            }
            Self::Hosts(rows) => (rows.grid.rows, rows.place_of(rank).0),
            Self::Rows { grid, part, .. } => {
                let row = rank.saturating_sub(part.from) / grid.per_cell / grid.columns;
                (grid.rows, (row as usize).min(grid.rows.saturating_sub(1)))
            }
        }
    }

    /// The rank so many cells down and to the right of a rank, as the cursor moves.
    pub(crate) fn step(&self, rank: u32, down: i64, right: i64) -> u32 {
        match self {
            Self::Plane(plane, _) => plane.step(rank, down, right),
            Self::Hosts(rows) => rows.step(rank, down, right),
            Self::Rows { grid, size, .. } => {
                let (row, last) = (i64::from(grid.columns) * i64::from(grid.per_cell), i64::from(*size) - 1);
                let by = down.saturating_mul(row).saturating_add(right.saturating_mul(grid.per_cell.into()));
                let to = i64::from(rank).saturating_add(by);
                let stays = by.abs() > 1 && (to < 0 || to > last);
                if stays { rank } else { to.clamp(0, last.max(0)) as u32 }
            }
        }
    }

    pub(super) fn draw(&self, pen: &mut Pen<'_>, area: Rect, cells: &Cells<'_>) {
        let cut = pen.glyphs.cut;
        let (label, in_row, numbered) = self.shape();
        for row in 0..area.height {
            let Some(name) = self.label(row, cut) else { break };
            let mut line = pen.row(area, row);
            let blanks = usize::from(label).saturating_sub(columns(&name));
            line.put(&name, Role::LineNumber).put(&" ".repeat(blanks), Role::LineNumber);
            for column in 0..in_row {
                let Some(ranks) = self.ranks(row, column) else { break };
                if self.has_gaps() && column > 0 && column % GAP_AFTER == 0 {
                    line.put(" ", Role::Text);
                }
                cells.put(&mut line, (area, row), &ranks, numbered);
            }
        }
    }

    /// The columns of the terminal for labels, the cells in a row, and the columns of a cell with a number.
    fn shape(&self) -> (u16, u32, Option<u16>) {
        match self {
            Self::Plane(plane, _) => (plane.label, plane.cell_columns(), plane.numbered),
            Self::Hosts(rows) => (rows.grid.label, rows.grid.columns, rows.grid.numbered),
            Self::Rows { grid, .. } => (grid.label, grid.columns, (grid.label == 0).then_some(grid.cell)),
        }
    }

    /// True if there is a gap after every tenth cell; in a plane it would look like a border.
    fn has_gaps(&self) -> bool {
        self.shape().2.is_none() && !matches!(self, Self::Plane(..))
    }

    /// The text before the cells of a row; `None` behind the last one.
    fn label(&self, row: u16, cut: char) -> Option<String> {
        match self {
            Self::Plane(plane, _) => {
                let at = plane.row_at(row);
                let is_row = u32::from(row) < plane.cell_rows();
                is_row.then(|| format!("{at:>width$}", width = usize::from(plane.label) - 1))
            }
            Self::Hosts(rows) => rows.label(row, cut),
            Self::Rows { grid, .. } => {
                let first = self.ranks(row, 0)?.first()?;
                let width = usize::from(grid.label.saturating_sub(1));
                Some(if grid.label > 0 { format!("{first:>width$}") } else { String::new() })
            }
        }
    }

    /// The ranks of a cell; `None` if there is none there.
    pub(super) fn ranks(&self, row: u16, column: u32) -> Option<ProcessSet> {
        match self {
            Self::Plane(plane, first) => {
                let ranks = plane.ranks(*first, row.into(), column);
                (column < plane.cell_columns() && !ranks.is_empty()).then_some(ranks)
            }
            Self::Hosts(rows) => rows.ranks(row, column),
            Self::Rows { grid, first, part, height, .. } => {
                let cell = first.checked_add(u32::from(row).checked_mul(grid.columns)?)?.checked_add(column)?;
                let from = part.from.checked_add(cell.checked_mul(grid.per_cell)?)?;
                if from >= part.end() || column >= grid.columns || row >= *height {
                    return None;
                }
                let end = from.saturating_add(grid.per_cell).min(part.end());
                Some(if end - from == 1 { ProcessSet::one(Rank(from)) } else { ProcessSet::range(from, end) })
            }
        }
    }

    /// The first rank of the cell at a place of the area.
    pub(crate) fn rank_at(&self, column: u16, row: u16) -> Option<u32> {
        let (label, _, numbered) = self.shape();
        let place = u32::from(column.checked_sub(label)?);
        let column = match numbered {
            Some(cell) => place / u32::from(cell.max(1)),
            None if self.has_gaps() => {
                let (group, within) = (place / (GAP_AFTER + 1), place % (GAP_AFTER + 1));
                Some(group * GAP_AFTER + within).filter(|_| within < GAP_AFTER)?
            }
            None => place,
        };
        Some(self.ranks(row, column)?.first()?.0)
    }

    /// The cells that are shown, for the numbers of their ranks; `None` if no picture of ranks has such cells.
    pub(super) fn coloured_cells(&self, size: u32) -> Option<RankCells> {
        match self {
            Self::Plane(plane, first) => Some(plane.coloured_cells(*first)),
            Self::Hosts(rows) => rows.coloured_cells(size),
            Self::Rows { grid, first, height, part, .. } => {
                let from = part.from.saturating_add(first.saturating_mul(grid.per_cell));
                let shown = u32::from(*height).saturating_mul(grid.columns).saturating_mul(grid.per_cell);
                Some(RankCells::new(from, (1, shown.min(part.end().saturating_sub(from))), (1, grid.per_cell)))
            }
        }
    }

    /// The ranks that share the cell of a rank.
    pub(crate) fn cell_of(&self, rank: u32) -> ProcessSet {
        match self {
            Self::Plane(plane, _) => plane.cell_of(rank),
            Self::Hosts(rows) => rows.cell_of(rank),
            Self::Rows { grid, part, size, .. } => {
                let cell = part.cell(rank, grid.per_cell, *size);
                ProcessSet::range(cell.from, cell.end())
            }
        }
    }

    /// The part that a step of zooming in shows: a quarter of the ranks, around the cursor; `None` if each cell is one rank.
    pub(crate) fn closer(&self, rank: u32) -> Option<Part> {
        match self {
            Self::Plane(plane, _) => plane.closer(rank),
            Self::Hosts(rows) => rows.closer(rank),
            Self::Rows { grid, part, .. } => {
                (grid.per_cell > 1 && part.len > 1).then(|| Part::Ranks(part.around(rank, grid.per_cell, 4)))
            }
        }
    }

    /// The part with the ranks of a rank's cell; `None` if the cell is one rank.
    pub(crate) fn inside(&self, rank: u32) -> Option<Part> {
        match self {
            Self::Plane(plane, _) => plane.inside(rank),
            Self::Hosts(rows) => rows.inside(rank),
            Self::Rows { grid, part, size, .. } => {
                let cell = part.cell(rank, grid.per_cell, *size);
                if cell == *part { self.closer(rank) } else { (cell.len > 1).then_some(Part::Ranks(cell)) }
            }
        }
    }

    /// The ranks or hosts of a cell in words, if it is more than one rank.
    pub(super) fn cell_words(&self) -> Option<String> {
        match self {
            Self::Plane(plane, _) if plane.tall == 1 && plane.wide == 1 => None,
            Self::Plane(plane, _) => Some(format!("{} x {} ranks a cell", plane.tall, plane.wide)),
            Self::Hosts(rows) => rows.grid.words(),
            Self::Rows { grid, .. } => (grid.per_cell > 1).then(|| format!("{} ranks a cell", grid.per_cell)),
        }
    }
}
