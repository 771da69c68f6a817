//! Boxes over the views.

use super::pen::Pen;
use crate::theme::Role;
use ratatui::layout::Rect;

/// Draws a box with a title; returns its inner area.
pub(super) fn panel(pen: &mut Pen<'_>, area: Rect, title: &str) -> Rect {
    pen.clear(area, Role::Popup);
    let glyphs = pen.glyphs;
    let (h, v) = (glyphs.horizontal, glyphs.vertical);
    let corners = if h == '-' { ['+'; 4] } else { ['╭', '╮', '╰', '╯'] };
    let inner = usize::from(area.width.saturating_sub(2));
    let line: String = std::iter::repeat_n(h, inner).collect();
    let edge = |pen: &mut Pen<'_>, row: u16, left: char, right: char| {
        pen.row(area, row).sign(left, Role::BorderFocus).put(&line, Role::BorderFocus).sign(right, Role::BorderFocus);
    };
    edge(pen, 0, corners[0], corners[1]);
    edge(pen, area.height.saturating_sub(1), corners[2], corners[3]);
    for row in 1..area.height.saturating_sub(1) {
        pen.row(area, row).sign(v, Role::BorderFocus).to(area.width.saturating_sub(1)).sign(v, Role::BorderFocus);
    }
    if !title.is_empty() {
        let mut head = pen.row(area, 0);
        head.to(2).put(" ", Role::Popup).short(title, inner.saturating_sub(4), Role::TitleFocus).put(" ", Role::Popup);
    }
    Rect::new(area.x + 2, area.y + 1, area.width.saturating_sub(4), area.height.saturating_sub(2))
}

/// Gives everything written in the area the panel's background.
pub(super) fn settle_ground(pen: &mut Pen<'_>, area: Rect) {
    let bg = pen.style(Role::Popup).bg;
    let plain = pen.style(Role::Text).bg;
    for position in area.intersection(pen.buffer.area).positions() {
        if let Some(cell) = pen.buffer.cell_mut(position)
            && (Some(cell.bg) == plain || cell.bg == ratatui::style::Color::Reset)
            && let Some(bg) = bg
        {
            cell.bg = bg;
        }
    }
}

pub(super) fn centered(area: Rect, width: u16, height: u16) -> Rect {
    let (width, height) = (width.min(area.width), height.min(area.height));
    Rect::new(area.x + (area.width - width) / 2, area.y + (area.height - height) / 2, width, height)
}
