//! A page: the answer of a command in several lines.

use super::panel::{panel, settle_ground};
use super::pen::{Pen, columns, fit, wrapped};
use crate::layer::Page;
use crate::theme::Role;
use ratatui::layout::Rect;

/// The columns by which the further rows of a long line are indented.
const HANG: usize = 2;

/// The rows of a page on a terminal of this width: long lines are wrapped, not cut.
pub(crate) fn rows(width: u16, page: &Page) -> Vec<String> {
    let columns = usize::from(width.saturating_sub(4));
    page.lines.iter().flat_map(|line| wrapped(line, columns, HANG)).collect()
}

/// The most rows of a page that are shown at once on a screen.
pub(crate) fn room(screen: Rect) -> usize {
    (usize::from(screen.height.saturating_sub(2)) * 3 / 4).saturating_sub(2)
}

/// True if a key that closes a page acts, too: nothing has to be scrolled to, and nothing failed.
pub(crate) fn lets_keys_through(screen: Rect, page: &Page) -> bool {
    !page.failed && rows(screen.width, page).len() <= room(screen)
}

pub(super) fn draw(pen: &mut Pen<'_>, area: Rect, page: &Page) {
    let rows = rows(area.width, page);
    let height = u16::try_from(rows.len()).unwrap_or(u16::MAX).saturating_add(2).min(area.height * 3 / 4);
    let shown = rows.get(page.top.min(rows.len())..).unwrap_or_default();
    let more = shown.len().saturating_sub(height.saturating_sub(2).into());
    let hint = if more > 0 { format!("  {more} more below, j k scroll") } else { String::new() };
    let longest = page.lines.iter().map(|line| columns(line)).max().unwrap_or(0);
    let width = (longest.max(columns(&page.title) + columns(&hint)) as u16).saturating_add(6).max(30);
    let area = Rect { y: area.y + area.height.saturating_sub(height), height, width: width.min(area.width), ..area };
    // The hint matters more than the title: the user knows the command, but not how much follows.
    let title = usize::from(area.width.saturating_sub(6)).saturating_sub(columns(&hint));
    let title = fit(&page.title, title, pen.glyphs.cut);
    let inside = panel(pen, area, &format!("{title}{hint}"));
    for (row, line) in shown.iter().take(inside.height.into()).enumerate() {
        let mut out = pen.row(inside, row as u16);
        match line.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
            Some((ranks, words)) => {
                out.put("[", Role::Dim).put(ranks, Role::RankTag).put("]", Role::Dim).put(words, Role::Text);
            }
            None => {
                out.put(line, Role::Text);
            }
        }
    }
    settle_ground(pen, area);
}
