//! Pictures in the pixels of the terminal, which nothing may cover: one that is covered is drawn with characters.

use crate::action::ViewId;
use crate::layout::Layout;
use crate::view::View;
use crate::views::array;
use ratatui::buffer::Buffer;

/// Returns a copy of the cells that the views have drawn under the picture.
pub(super) fn under(drawn: &Buffer, found: &Layout, view: &View) -> Option<Buffer> {
    let cells = found.pane(ViewId::Array).and_then(|pane| array::in_pixels(pane.body, view))?;
    let mut kept = Buffer::empty(cells.area.intersection(drawn.area));
    for position in kept.area.positions() {
        if let (Some(cell), Some(from)) = (kept.cell_mut(position), drawn.cell(position)) {
            *cell = from.clone();
        }
    }
    Some(kept)
}

/// Puts the picture there, unless a layer has drawn over it.
pub(super) fn show(drawn: &mut Buffer, found: &Layout, view: &View, under: Option<&Buffer>) {
    let cells = found.pane(ViewId::Array).and_then(|pane| array::in_pixels(pane.body, view));
    let (Some(cells), Some(under)) = (cells, under) else { return };
    if under.area != cells.area || under.area.positions().any(|at| drawn.cell(at) != under.cell(at)) {
        return;
    }
    for position in cells.area.positions() {
        if let (Some(cell), Some(from)) = (drawn.cell_mut(position), cells.cell(position)) {
            *cell = from.clone();
        }
    }
}
