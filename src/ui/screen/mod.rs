//! Draws the screen from the controller's state, the screen's own state, and the theme.

mod drawn_rows;
mod found;
mod keybar;
mod overlay;
pub(crate) mod page;
mod panel;
mod panes;
mod pen;
mod pixels;
mod requests;
mod status;

pub(crate) use drawn_rows::drawn_rows;
pub(crate) use pen::{Pen, Row, columns, fit_end, fit_middle, set_text, untabbed, wrapped};
pub(crate) use status::room_for_notice;

use super::layout::{Layout, SMALLEST, Wanted, layout};
use super::theme::{Role, Theme};
use super::view::View;
use super::views::ranks;
use controller::State;
use ratatui::{Frame, layout::Rect};

/// The layout of a screen of this size.
pub(crate) fn layout_of(area: Rect, state: &State, view: &View) -> Layout {
    let rank_rows = ranks::wanted_rows(state, view, area);
    layout(area, Wanted { current: view.current, tab: view.tab, middle: view.middle, zoom: view.zoom, rank_rows })
}

/// Draws the whole screen and places the terminal's cursor.
pub fn draw(frame: &mut Frame<'_>, area: Rect, state: &State, view: &View, theme: &Theme) {
    let found = layout_of(area, state, view);
    let cursor = {
        let mut pen = Pen::new(frame.buffer_mut(), theme, view.ascii);
        pen.clear(area, Role::Text);
        if found.panes.is_empty() {
            too_small(&mut pen, area);
            return;
        }
        panes::draw(&mut pen, &found, state, view);
        let under = pixels::under(pen.buffer, &found, view);
        // A view without a selected row has the keyboard as well.
        let body = found.body(view.current);
        pen.cursor = pen.cursor.or((!body.is_empty()).then(|| body.as_position()));
        status::draw(&mut pen, found.status, state, view);
        keybar::draw(&mut pen, &found, state, view);
        let cursor = overlay::draw(&mut pen, area, &found, state, view);
        pixels::show(pen.buffer, &found, view, under.as_ref());
        cursor
    };
    if let Some(position) = cursor {
        frame.set_cursor_position(position);
    }
}

fn too_small(pen: &mut Pen<'_>, area: Rect) {
    let lines = [
        "too small".to_owned(),
        format!("needs {}x{}", SMALLEST.0, SMALLEST.1),
        format!("this is {}x{}", area.width, area.height),
    ];
    for (row, line) in lines.iter().enumerate() {
        pen.row(area, row as u16).put(line, Role::Warning);
    }
}
