//! Draws the rows of a view as text, for searching.

use super::found::text_of;
use super::panes;
use super::pen::Pen;
use crate::action::ViewId;
use crate::theme::Theme;
use crate::view::View;
use controller::State;
use ratatui::{buffer::Buffer, layout::Rect};

/// Width at which no row has to be cut.
const WIDE: u16 = 800;

/// Draws `count` rows of a view from its first visible one, wide enough that none is cut.
pub(crate) fn drawn_rows(of: ViewId, state: &State, view: &View, count: u16) -> Vec<String> {
    let area = Rect::new(0, 0, WIDE, count);
    let mut buffer = Buffer::empty(area);
    let theme = Theme::dark();
    panes::body(&mut Pen::new(&mut buffer, &theme, view.ascii), of, area, state, view);
    (0..count).map(|row| text_of(&buffer, Rect { y: row, height: 1, ..area }).0).collect()
}
