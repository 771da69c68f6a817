//! The grid: elements with their subscripts on both axes.

use crate::action::ViewId;
use crate::array_state::Grid;
use crate::screen::Pen;
use crate::screen::columns;
use crate::theme::Role;
use crate::view::View;
use controller::State;
use controller::report::arrays::words::{Cell, cell};
use model::{ArrayPage, ArrayShape};
use ratatui::layout::{Position, Rect};

/// The columns between two elements: one has the mark of a change.
const BETWEEN: u16 = 2;
/// A column of elements is no wider: longer texts are cut.
const WIDEST: usize = 24;

/// The columns of the terminal that the grid is divided into.
pub(crate) struct Division {
    /// The width of the subscripts at the left.
    pub(crate) labels: u16,
    /// The widths of the visible columns of elements, without what is between them.
    pub(crate) widths: Vec<u16>,
}

impl Division {
    /// The column of the grid at a column of the terminal, counted from the first visible one.
    pub(crate) fn column_at(&self, x: u16) -> Option<usize> {
        let mut end = self.labels;
        self.widths.iter().position(|width| {
            end += BETWEEN + width;
            x < end && x >= self.labels
        })
    }
}

fn label(shape: &ArrayShape, subscript: i64) -> String {
    if shape.parentheses { subscript.to_string() } else { format!("[{subscript}]") }
}

fn row_label(shape: &ArrayShape, grid: Grid, row: u64) -> String {
    match grid.element(row, 0) {
        Some((_, number)) if grid.is_folded() => label(shape, shape.along(grid.axes.columns).subscript(number)),
        Some((number, _)) if grid.axes.rows.is_some() => label(shape, shape.along(grid.axes.rows).subscript(number)),
        _ => String::new(),
    }
}

fn column_label(shape: &ArrayShape, grid: Grid, column: u64) -> String {
    match grid.axes.columns {
        None => String::new(),
        Some(_) if grid.is_folded() => format!("+{column}"),
        axis => label(shape, shape.along(axis).subscript(column)),
    }
}

/// The element at a line and a column; `None` if it is not known yet, or does not exist.
pub(crate) fn element(state: &State, page: &ArrayPage, grid: Grid, row: u64, column: u64) -> Option<Cell> {
    let (row, column) = grid.element(row, column)?;
    cell(page, row, column, &state.format_options())
}

/// Divides the width of the view: each column is as wide as its widest visible element.
pub(crate) fn division(body: Rect, state: &State, view: &View, shape: &ArrayShape, page: &ArrayPage) -> Division {
    let array = &view.array;
    let grid = Grid::of(shape, array.axes);
    let lines = u64::from(super::room(body, view).lines);
    let rows = array.top..grid.rows.min(array.top + lines);
    let labels = rows.clone().map(|row| columns(&row_label(shape, grid, row))).max().unwrap_or(0) as u16 + 1;
    let mut left = body.width.saturating_sub(labels);
    let mut widths: Vec<u16> = Vec::new();
    for column in array.left..grid.columns {
        let texts = rows.clone().filter_map(|row| element(state, page, grid, row, column));
        let widest = texts.map(|cell| columns(&cell.short)).max().unwrap_or(1);
        let width = widest.max(columns(&column_label(shape, grid, column))).min(WIDEST) as u16;
        if width + BETWEEN > left {
            if widths.is_empty() {
                widths.push(left.saturating_sub(BETWEEN).max(1));
            }
            break;
        }
        left -= width + BETWEEN;
        widths.push(width);
    }
    Division { labels, widths }
}

pub(super) fn draw(
    pen: &mut Pen<'_>,
    area: Rect,
    (state, view): (&State, &View),
    shape: &ArrayShape,
    page: &ArrayPage,
) {
    let array = &view.array;
    let grid = Grid::of(shape, array.axes);
    if grid.rows == 0 || grid.columns == 0 {
        pen.row(area, 0).put(" ", Role::Text).put("the array has no elements", Role::Dim);
        return;
    }
    let body = Rect { height: area.height + super::lines_below(view), ..area };
    let division = division(body, state, view, shape, page);
    let mut header = pen.row(area, 0);
    header.to(division.labels);
    for (column, width) in (array.left..).zip(&division.widths) {
        let text = column_label(shape, grid, column);
        let pad = usize::from(*width + BETWEEN).saturating_sub(columns(&text));
        header.put(&" ".repeat(pad), Role::Text).short(&text, usize::from(*width), Role::LineNumber);
    }
    let more_columns = array.left + (division.widths.len() as u64) < grid.columns;
    if more_columns && header.left() > 0 {
        let cut = header.pen.glyphs.cut;
        header.sign(cut, Role::Dim);
    }
    let shown = state.inspection.array.shown.value();
    for line in 1..area.height {
        let row = array.top + u64::from(line) - 1;
        if row >= grid.rows {
            break;
        }
        let mut text = pen.row(area, line);
        let name = row_label(shape, grid, row);
        let pad = usize::from(division.labels - 1).saturating_sub(columns(&name));
        text.put(&" ".repeat(pad), Role::Text).put(&name, Role::LineNumber).to(division.labels);
        for (column, width) in (array.left..).zip(&division.widths) {
            let Some((along_row, along_column)) = grid.element(row, column) else { break };
            let changed = shown.is_some_and(|shown| shown.has_changed(page, along_row, along_column));
            let glyphs = text.pen.glyphs;
            let Some(cell) = element(state, page, grid, row, column) else {
                let pad = " ".repeat(usize::from(*width + BETWEEN - 1));
                text.put(&pad, Role::Text).sign(glyphs.dot, Role::Dim);
                continue;
            };
            let is_cursor = (row, column) == (array.row, array.column);
            let role =
                role(&cell, changed, is_cursor.then_some(view.current == ViewId::Array), array.condition.is_some());
            let pad = usize::from(*width).saturating_sub(columns(&cell.short));
            let mark = match (cell.meets, changed) {
                (true, _) => '*',
                (false, true) => glyphs.changed,
                (false, false) => ' ',
            };
            text.put(&" ".repeat(usize::from(BETWEEN - 1) + pad), Role::Text).sign(mark, Role::ValueChanged);
            let at = Position { x: area.x + text.at(), y: area.y + line };
            text.short(&cell.short, usize::from(*width), role);
            if role == Role::Cursor {
                text.pen.cursor = Some(at);
            }
        }
    }
}

fn role(cell: &Cell, changed: bool, cursor: Option<bool>, filtered: bool) -> Role {
    match cursor {
        Some(true) => return Role::Cursor,
        Some(false) => return Role::SelectionPassive,
        None => {}
    }
    match cell {
        cell if cell.meets => Role::Match,
        cell if cell.number.is_none() => Role::ValueNone,
        cell if cell.is_nan() => Role::Error,
        cell if cell.is_infinite() => Role::Warning,
        _ if changed => Role::ValueChanged,
        _ if filtered => Role::Dim,
        _ => Role::Value,
    }
}
