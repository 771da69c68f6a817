//! Ranks coloured by the number that an expression has on each: the digits in the cells, and their legend.

use crate::screen::{Pen, set_text};
use crate::theme::{Role, text_on};
use crate::views::across::limited;
use controller::State;
use controller::report::arrays::words::rounded;
use controller::state::RankColours;
use model::aif::format;
use model::{CellNumbers, ProcessSet, RankCells, RankValue};
use ratatui::layout::Rect;
use ratatui::style::Style;

/// The most columns of the legend for the expression.
const EXPRESSION: usize = 24;

/// The rows of the legend.
pub(super) fn rows(state: &State) -> u16 {
    u16::from(state.colour.is_some())
}

/// Returns the sign of some ranks, with its style; `None` if ranks are not coloured.
pub(super) fn sign(pen: &Pen<'_>, state: &State, ranks: &ProcessSet) -> Option<(char, Style)> {
    let expression = state.colour.as_ref()?;
    if !state.ranks.at_rest().meets(ranks) {
        return Some(('.', pen.style(Role::Dim)));
    }
    // Its number has not come yet.
    let awaited = Some(('-', pen.style(Role::Dim)));
    let Some(colours) = state.inspection.colours.as_ref().filter(|colours| colours.expression == *expression) else {
        return awaited;
    };
    match colours.numbers(ranks) {
        // What is no number is what one looks for: it is not hidden by the other ranks of the cell.
        Some(CellNumbers { nan: 1.., .. }) => Some(('N', pen.style(Role::HeatOdd))),
        Some(CellNumbers { infinite: 1.., .. }) => Some(('I', pen.style(Role::HeatOdd))),
        Some(numbers) if numbers.finite > 0 => Some(digit(pen, colours.level(numbers.greatest.get()))),
        Some(_) => Some(('?', pen.style(Role::Dim))),
        None if colours.failed.iter().any(|(failed, _)| failed.meets(ranks)) => Some(('?', pen.style(Role::Dim))),
        None => awaited,
    }
}

/// The digit of a level from 0 to 1, on its colour if there are colours.
fn digit(pen: &Pen<'_>, level: f64) -> (char, Style) {
    let sign = char::from(b'0' + ((level * 10.0) as u8).min(9));
    let text = pen.style(Role::Text);
    let style = match pen.theme.heat(level) {
        Some(colour) => Style { bg: Some(colour), fg: Some(text_on(colour)), ..text },
        None => text,
    };
    (sign, style)
}

/// Draws the legend: the number in the cell under the cursor, and the ends of the scale; `cells` are those that the screen
/// needs, if a picture of ranks has such cells.
pub(super) fn draw_legend(pen: &mut Pen<'_>, area: Rect, state: &State, cell: &ProcessSet, cells: Option<RankCells>) {
    let Some(expression) = state.colour.as_ref().filter(|_| area.height > 0) else { return };
    let ends = [digit(pen, 0.0), digit(pen, 1.0)];
    let room = (usize::from(area.width) / 5).min(EXPRESSION);
    let mut line = pen.row(area, 0);
    line.put(" colour by ", Role::Dim).short(expression, room, Role::ValueName);
    let known = state.inspection.colours.as_ref().filter(|colours| colours.expression == *expression);
    let Some(colours) = known else {
        let words = match cells {
            None => "not by hosts: these have different numbers of ranks; \"layout none\" shows the colours",
            Some(_) if state.ranks.at_rest().is_empty() => "no rank is stopped",
            Some(_) => "…",
        };
        line.put("  ", Role::Text).put(words, Role::Dim);
        return;
    };
    // Numbers of an earlier stop stay until the next ones arrive.
    let of_value = if colours.stale { Role::Dim } else { Role::Value };
    // What is said of the numbers is not said of those that have not come.
    let awaited = state.ranks.at_rest().difference(&colours.known).len();
    if awaited > 0 && !colours.stale {
        line.put(&format!("  - {awaited} not read yet"), Role::Warning);
    }
    line.put(&format!("  {}: ", set_text(cell, 16)), Role::RankTag);
    line.put(&numbers_text(state, colours, cell), of_value);
    let summary = &colours.picture.summary;
    if let Some(finite) = &summary.finite {
        let (least, greatest) = (finite.least.first(), finite.greatest.first());
        let is_one = least.map(|kept| &kept.value) == greatest.map(|kept| &kept.value);
        let shown = [(ends[0], if is_one { "all" } else { "min" }, least), (ends[1], "max", greatest)];
        for ((sign, style), name, kept) in shown.into_iter().take(if is_one { 1 } else { 2 }) {
            let Some(kept) = kept else { continue };
            line.put("  ", Role::Text).styled(sign.encode_utf8(&mut [0; 4]), style);
            line.put(&format!(" {name} "), Role::Dim).put(&value_text(state, kept), of_value);
            if !is_one {
                line.put(&format!(" on {}", kept.rank), Role::RankTag);
            }
        }
    }
    for (count, what) in [(summary.nan, "NaN"), (summary.infinite, "infinite")] {
        if count > 0 {
            line.put(&format!("  {count} {what}"), Role::Error);
        }
    }
    let numbers = summary.finite.as_ref().map_or(0, |finite| finite.moments.count) + summary.nan + summary.infinite;
    let without = summary.count.saturating_sub(numbers) + colours.without_value() as u64;
    if without > 0 {
        line.put(&format!("  ? {without} without a number"), Role::Dim);
    }
}

fn value_text(state: &State, kept: &RankValue) -> String {
    format(&kept.value, &limited(state, None)).unwrap_or_else(|fault| format!("<{fault}>"))
}

/// The numbers of the ranks of a cell.
fn numbers_text(state: &State, colours: &RankColours, cell: &ProcessSet) -> String {
    if !state.ranks.at_rest().meets(cell) {
        return "<running or ended>".to_owned();
    }
    match colours.numbers(cell) {
        Some(numbers) if numbers.finite > 0 => {
            let (least, greatest) = (numbers.least.get(), numbers.greatest.get());
            let range =
                if least == greatest { rounded(least) } else { format!("{} to {}", rounded(least), rounded(greatest)) };
            if numbers.nan > 0 { format!("{range}, {} NaN", numbers.nan) } else { range }
        }
        Some(CellNumbers { nan: 1.., .. }) => "NaN".to_owned(),
        Some(CellNumbers { infinite: 1.., .. }) => "infinite".to_owned(),
        Some(_) => "<not a number>".to_owned(),
        None => match colours.failed.iter().find(|(failed, _)| failed.meets(cell)) {
            Some((_, failure)) => format!("<{}>", failure.message),
            None => "…".to_owned(),
        },
    }
}
