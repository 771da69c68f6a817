//! The rows of a view as text.

use super::found::text_of;
use super::panes;
use super::pen::Pen;
use crate::action::ViewId;
use crate::theme::Theme;
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
