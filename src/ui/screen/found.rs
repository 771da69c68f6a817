//! The rows of a view as text, and the places in them that a search finds.

use super::panes;
use super::pen::Pen;
use crate::action::ViewId;
use crate::theme::{Role, Theme};
use crate::view::View;
use controller::State;
use ratatui::{buffer::Buffer, layout::Rect};

/// Columns in which every row has room for its words.
const WIDE: u16 = 800;

/// So many rows of a view from the first that its list shows, as they are drawn where nothing has to be cut.
pub(crate) fn drawn_rows(of: ViewId, state: &State, view: &View, count: u16) -> Vec<String> {
    let area = Rect::new(0, 0, WIDE, count);
    let mut buffer = Buffer::empty(area);
    let theme = Theme::dark();
    panes::body(&mut Pen::new(&mut buffer, &theme, view.ascii), of, area, state, view);
    (0..count).map(|row| text_of(&buffer, Rect { y: row, height: 1, ..area }).0).collect()
}

/// The characters of a row of cells, and the column of each of their bytes.
fn text_of(buffer: &Buffer, row: Rect) -> (String, Vec<u16>) {
    let (mut text, mut columns) = (String::new(), Vec::new());
    for column in row.x..row.x + row.width {
        let symbol = buffer.cell((column, row.y)).map_or("", |cell| cell.symbol());
        text.push_str(symbol);
        columns.resize(text.len(), column);
    }
    text.truncate(text.trim_end().len());
    (text, columns)
}

/// Marks what is searched for in the rows of a view.
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
