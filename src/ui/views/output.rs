//! View 5: the output of the ranks.

use super::list_rows::select;
use crate::action::ViewId;
use crate::screen::{Pen, columns, set_text};
use crate::theme::Role;
use crate::view::View;
use controller::State;
use controller::command::OUTPUT_LINES;
use controller::state::OutputLine;
use model::Stream;
use ratatui::layout::Rect;

/// The visible lines; `None` if all are visible.
fn kept(state: &State) -> Option<Vec<&OutputLine>> {
    let wanted = state.output_of.as_ref()?;
    Some(state.output.iter().filter(|line| line.ranks.meets(wanted)).collect())
}

/// Rows before the lines: one that counts dropped lines.
fn rows_before(state: &State) -> usize {
    usize::from(state.output.dropped() > 0)
}

/// Number of visible rows.
pub(crate) fn len(state: &State) -> usize {
    rows_before(state) + kept(state).map_or(state.output.len(), |kept| kept.len())
}

pub(crate) fn line(state: &State, row: usize) -> Option<&OutputLine> {
    let index = row.checked_sub(rows_before(state))?;
    match kept(state) {
        Some(kept) => kept.get(index).copied(),
        None => state.output.get(index),
    }
}

/// Describes the number of dropped lines.
pub(crate) fn dropped_words(dropped: u64) -> String {
    match dropped {
        1 => "1 older line dropped".to_owned(),
        _ => format!("{dropped} older lines dropped"),
    }
}

pub(crate) fn title(state: &State, view: &View) -> Vec<(String, Role)> {
    let mut words = Vec::new();
    if let Some(ranks) = &state.output_of {
        words.push((format!("of {}", set_text(ranks, 16)), Role::Text));
    }
    if state.output.dropped() > 0 {
        words.push((format!("  {}", dropped_words(state.output.dropped())), Role::Warning));
    }
    if !view.output.follow && !state.output.is_empty() {
        let key = view.keys.first_key(crate::action::Action::Bottom);
        words.push((format!("  {key} follows"), Role::Dim));
    }
    words
}

pub(crate) fn draw(pen: &mut Pen<'_>, body: Rect, state: &State, view: &View) {
    let kept = kept(state);
    let before = rows_before(state);
    let count = before + kept.as_ref().map_or(state.output.len(), Vec::len);
    if count == 0 {
        pen.row(body, 0).put(" no output yet", Role::Dim);
        return;
    }
    let window = view.output.list.window(count, body.height.into());
    let of = |row: usize| {
        let index = row.checked_sub(before)?;
        match &kept {
            Some(kept) => kept.get(index).copied(),
            None => state.output.get(index),
        }
    };
    let tags: Vec<String> =
        window.clone().map(|index| of(index).map_or_else(String::new, |line| set_text(&line.ranks, 14))).collect();
    let width = tags.iter().map(|tag| columns(tag)).max().unwrap_or(0);
    for (row, index) in window.enumerate() {
        if index < before {
            let words = format!("{}; \"set {OUTPUT_LINES} N\" keeps more", dropped_words(state.output.dropped()));
            pen.row(body, row as u16).put(" ", Role::Text).put(&words, Role::Warning);
            select(pen, body, row as u16, index == view.output.list.cursor, view.current == ViewId::Output);
            continue;
        }
        let (Some(line), Some(tag)) = (of(index), tags.get(row)) else { break };
        let role = if line.stream == Stream::Stderr { Role::OutputError } else { Role::Text };
        let row = row as u16;
        let mut out = pen.row(body, row);
        if line.begins_run {
            let dash = out.pen.glyphs.horizontal.to_string();
            let rest = dash.repeat(usize::from(body.width).saturating_sub(columns(&line.text) + 4));
            out.put(&format!("{dash}{dash} "), Role::Border).put(&line.text, Role::Dim);
            out.put(" ", Role::Border).put(&rest, Role::Border);
            select(pen, body, row, index == view.output.list.cursor, view.current == ViewId::Output);
            continue;
        }
        out.put(&format!(" {tag:>width$} "), Role::RankTag);
        // Standard error is marked as in scripts, too.
        let mark = if line.stream == Stream::Stderr { '!' } else { out.pen.glyphs.vertical };
        out.sign(mark, if mark == '!' { role } else { Role::Border }).put(" ", Role::Text);
        out.scrolled(view.output.left);
        let found = view.search.find(&line.text);
        match found {
            Some(range) => {
                let at = |from: usize, to: usize| line.text.get(from..to).unwrap_or("");
                out.put(at(0, range.start), role).put(at(range.start, range.end), Role::Match);
                out.put(at(range.end, line.text.len()), role);
            }
            None => {
                out.put(&line.text, role);
            }
        }
        let follows = view.output.follow && index + 1 == count;
        select(pen, body, row, index == view.output.list.cursor && !follows, view.current == ViewId::Output);
    }
}
