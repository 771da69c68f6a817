//! Marks the matches of a search in the rows of a view.

use super::pen::Pen;
use crate::theme::Role;
use crate::view::View;
use ratatui::{buffer::Buffer, layout::Rect};

/// The text of a row of cells, and the column of each of its bytes.
pub(super) fn text_of(buffer: &Buffer, row: Rect) -> (String, Vec<u16>) {
    let (mut text, mut columns) = (String::new(), Vec::new());
    for column in row.x..row.x + row.width {
        let symbol = buffer.cell((column, row.y)).map_or("", |cell| cell.symbol());
        text.push_str(symbol);
        columns.resize(text.len(), column);
    }
    text.truncate(text.trim_end().len());
    (text, columns)
}

/// Marks the matches in the rows of a view.
pub(super) fn mark(pen: &mut Pen<'_>, body: Rect, view: &View) {
    if !view.search.active {
        return;
    }
    for row in 0..body.height {
        let area = Rect { y: body.y + row, height: 1, ..body };
        let (text, columns) = text_of(pen.buffer, area);
        let Some(found) = view.search.find(&text) else { continue };
        let last = found.end.saturating_sub(1);
        if let (Some(&first), Some(&last)) = (columns.get(found.start), columns.get(last)) {
            let style = pen.style(Role::Match);
            pen.buffer.set_style(Rect { x: first, width: last - first + 1, ..area }.intersection(body), style);
        }
    }
}
