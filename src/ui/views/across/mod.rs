//! The values of displayed expressions on many ranks: below the cells of the view of ranks, and of those with places of
//! their own.

pub(crate) mod of_locals;

use crate::screen::{Pen, columns, set_text};
use crate::theme::Role;
use crate::view::View;
use crate::views::reference;
use crate::views::variables_state::Content;
use controller::State;
use controller::state::{AcrossKey, AcrossWish, Displayed, Shown};
use model::aif::{FormatLetter, FormatOptions, format};
use model::{ProcessSet, Rank};
use ratatui::layout::Rect;

/// Rows for displayed expressions in the view of ranks.
const MOST_ROWS: usize = 4;

/// Beyond this number of stopped ranks only the rank under the cursor is asked: each may have another value.
const MOST_RANKS: usize = 1024;

/// The displayed expressions that the view of ranks shows.
fn shown(state: &State) -> impl Iterator<Item = (u32, &Displayed)> {
    let is_shown = |displayed: &Displayed| matches!(displayed.shown, Shown::Value(_)) && displayed.place.is_none();
    state.displays.enabled().filter(move |(_, displayed)| is_shown(displayed))
}

fn key(displayed: &Displayed) -> AcrossKey {
    AcrossKey {
        expression: displayed.expression.clone(),
        thread: displayed.place.as_ref().and_then(|place| place.thread),
    }
}

/// The rows that the view of ranks has for displayed expressions.
pub(in crate::views) fn rows(state: &State) -> u16 {
    shown(state).count().min(MOST_ROWS) as u16
}

/// The values that the screen needs; `ranks_seen`: the view of ranks is on it.
pub(crate) fn wishes(state: &State, view: &View, ranks_seen: bool, variables_seen: Option<Content>) -> Vec<AcrossWish> {
    let pointed = || ProcessSet::one(Rank(view.ranks.cursor));
    let among = (state.ranks.at_rest().len() > MOST_RANKS).then(pointed);
    let mut wishes: Vec<AcrossWish> = Vec::new();
    if ranks_seen {
        wishes.extend(
            shown(state).take(MOST_ROWS).map(|(_, displayed)| AcrossWish { key: key(displayed), ranks: among.clone() }),
        );
    }
    if variables_seen == Some(Content::Across) {
        wishes.extend(of_locals::wishes(state));
    }
    if variables_seen == Some(Content::Variables) {
        wishes.extend(reference::wishes(state, view));
        let placed = state.displays.enabled().filter(|(_, displayed)| matches!(displayed.shown, Shown::Value(_)));
        for (displayed, place) in placed.filter_map(|(_, displayed)| Some((displayed, displayed.place.as_ref()?))) {
            // Beyond that, the first ranks stand for all.
            let ranks = place.ranks.iter().take(MOST_RANKS).collect();
            wishes.push(AcrossWish { key: key(displayed), ranks: Some(ranks) });
        }
    }
    wishes.dedup();
    wishes
}

/// The values of an expression on some ranks, each with the ranks that share it, or why there is none.
pub(in crate::views) fn texts(
    state: &State,
    key: &AcrossKey,
    displayed: &Displayed,
    among: &ProcessSet,
) -> Vec<(ProcessSet, Result<String, String>)> {
    let letter = if let Shown::Value(letter) = displayed.shown { letter } else { None };
    let mut texts: Vec<(ProcessSet, Result<String, String>)> = Vec::new();
    for known in state.inspection.across.of(key) {
        let ranks = known.ranks.intersection(among);
        if ranks.is_empty() {
            continue;
        }
        let text = match &known.value {
            Ok(datum) => format(datum, &limited(state, letter)).map_err(|fault| format!("<{fault}>")),
            Err(failure) => Err(format!("<{}>", failure.message)),
        };
        match texts.iter_mut().find(|(_, other)| *other == text) {
            Some((set, _)) => set.extend_with(&ranks),
            None => texts.push((ranks, text)),
        }
    }
    texts.sort_by_key(|(ranks, _)| ranks.first());
    texts
}

/// The options of the one line of a value.
pub(in crate::views) fn limited(state: &State, letter: Option<FormatLetter>) -> FormatOptions {
    FormatOptions { letter, ..FormatOptions::within(state.variables.print_options()).on_one_line() }
}

fn words(text: &Result<String, String>) -> &str {
    match text {
        Ok(text) | Err(text) => text,
    }
}

/// Formats `[0-2] 1  [3] 4`.
pub(in crate::views) fn together(parts: &[(ProcessSet, Result<String, String>)]) -> String {
    parts
        .iter()
        .map(|(ranks, text)| format!("[{}] {}", set_text(ranks, 24), words(text)))
        .collect::<Vec<_>>()
        .join("  ")
}

/// Draws a row for each displayed expression: its value on the rank under the cursor, then on all.
pub(in crate::views) fn draw(pen: &mut Pen<'_>, area: Rect, state: &State, view: &View) {
    let pointed = Rank(view.ranks.cursor);
    let all = ProcessSet::all(state.size());
    let left = shown(state).count().saturating_sub(area.height.into());
    for (row, (number, displayed)) in shown(state).take(area.height.into()).enumerate() {
        let texts = texts(state, &key(displayed), displayed, &all);
        let mut line = pen.row(area, row as u16);
        if left > 0 && row + 1 == usize::from(area.height) {
            let more = format!("+{left} more ");
            line.right_kept(&more, Role::Dim, columns(&more));
        }
        line.put(" ", Role::Text).put(&format!("{number}: {displayed}"), Role::Text).put("  ", Role::Text);
        let own = texts.iter().find(|(ranks, _)| ranks.contains(pointed));
        line.put(&format!("{pointed}: "), Role::RankTag);
        match own {
            Some((_, Ok(text))) => line.put(text, Role::Text),
            Some((_, Err(why))) => line.put(why, Role::Dim),
            None => {
                line.put(if state.ranks.at_rest().contains(pointed) { "…" } else { "<running or ended>" }, Role::Dim)
            }
        };
        line.put("   ", Role::Text);
        for (ranks, text) in texts.iter().filter(|_| texts.len() > 1) {
            line.put(&format!("[{}]", set_text(ranks, 16)), Role::RankTag).put(" ", Role::Text);
            line.put(words(text), Role::Dim).put("  ", Role::Text);
        }
        if let [(ranks, _)] = texts.as_slice() {
            line.put(&format!("the same on [{}]", set_text(ranks, 16)), Role::Dim);
        }
    }
}
