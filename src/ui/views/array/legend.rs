//! The lines below the elements: statistics, the element under the cursor, the colours of a picture.

use super::grid::element;
use super::heat_map::shade;
use crate::array_state::Grid;
use crate::part_path::operand_of;
use crate::screen::{Pen, Row};
use crate::theme::Role;
use crate::view::View;
use controller::State;
use controller::report::arrays::words::{element_place, measured, rounded};
use controller::state::Lookup;
use model::{ArrayFinding, ArrayPart, ArrayPicture, ArrayStatistics};
use ratatui::layout::Rect;

/// The columns of the scale of colours.
const SCALE: usize = 16;

pub(super) fn draw(pen: &mut Pen<'_>, area: Rect, state: &State, view: &View, part: &ArrayPart) {
    let mut line = 0;
    if view.array.statistics && area.height > 1 {
        statistics(&mut pen.row(area, line), &state.inspection.array.statistics);
        line += 1;
    }
    let mut row = pen.row(area, line);
    row.put(" ", Role::Text);
    match &part.finding {
        ArrayFinding::Picture(picture) if view.array.picture => scale(&mut row, picture),
        ArrayFinding::Page(page) if !view.array.picture => {
            let array = &view.array;
            let grid = Grid::of(&part.shape, array.axes);
            let place = array.element(&part.shape).map(|at| element_place(&part.shape, &at)).unwrap_or_default();
            let cell = element(state, page, grid, array.row, array.column);
            let cut = row.pen.glyphs.cut.to_string();
            let value = cell.map_or(cut, |cell| cell.text);
            let name = operand_of(&array.expression);
            row.put(&format!("{name}{place} = "), Role::ValueName).put(&value, Role::Value);
        }
        _ => {}
    }
    let words = searched(view);
    if !words.0.is_empty() {
        row.right(&[(&words.0, words.1), (" ", Role::Text)]);
    }
}

/// The lines below a picture of the parts of several ranks. `words`: what is said of ranks without one.
pub(super) fn draw_of_ranks(
    pen: &mut Pen<'_>,
    area: Rect,
    state: &State,
    picture: &ArrayPicture,
    words: Option<(String, Role)>,
) {
    if area.height > 1 {
        let mut row = pen.row(area, 0);
        row.put(&format!(" rank {}:", state.lead), Role::Dim);
        statistics(&mut row, &state.inspection.array.statistics);
    }
    let mut row = pen.row(area, area.height.saturating_sub(1));
    row.put(" ", Role::Text);
    match words {
        Some((words, role)) => {
            colours(&mut row, picture);
            row.put("  ", Role::Text).put(&words, role);
        }
        None => scale(&mut row, picture),
    }
}

/// The condition, and the number of the match under the cursor.
fn searched(view: &View) -> (String, Role) {
    let array = &view.array;
    if let Some(sought) = &array.sought {
        return (format!("{}: searching …", sought.condition), Role::Dim);
    }
    let Some(condition) = &array.condition else { return (String::new(), Role::Dim) };
    match array.counted {
        Some((_, 0)) => (format!("{condition}: none"), Role::Warning),
        Some((number, found)) => (format!("{condition}: {number} of {found}"), Role::Note),
        None => (condition.to_string(), Role::Note),
    }
}

fn statistics(row: &mut Row<'_, '_>, known: &Lookup<ArrayStatistics>) {
    row.put(" ", Role::Text);
    match known {
        Lookup::Failed(failure) => _ = row.put(&failure.message, Role::Error),
        lookup => match lookup.value() {
            None => _ = row.put("measuring …", Role::Dim),
            Some(statistics) => {
                let count = statistics.count;
                let elements = if count == 1 { "1 element".to_owned() } else { format!("{count} elements") };
                row.put(&elements, Role::Dim);
                // They are what one looks for: a narrow view has room for them.
                for (count, name) in [(statistics.nan, "NaN"), (statistics.infinite, "infinite")] {
                    if count > 0 {
                        row.put(&format!("  {count} {name}"), Role::Error);
                    }
                }
                let Some(finite) = &statistics.finite else { return };
                for (name, extreme) in [("min", &finite.min), ("max", &finite.max)] {
                    row.put(&format!("  {name} "), Role::Dim).put(&measured(extreme.value.get()), Role::Value);
                    row.put(&format!(" {}", extreme.at), Role::Dim);
                }
                row.put("  mean ", Role::Dim).put(&measured(finite.mean.get()), Role::Value);
            }
        },
    }
}

/// The range of the picture, with its colours, and what a pixel stands for.
fn scale(row: &mut Row<'_, '_>, picture: &ArrayPicture) {
    colours(row, picture);
    if picture.range.is_none() {
        return;
    }
    let reductions: Vec<&str> = picture.reductions.iter().map(|reduction| reduction.word()).collect();
    let each = |elements: u64, pixels: u32| elements.div_ceil(u64::from(pixels.max(1)));
    let section = &picture.section;
    let (down, across) = (each(section.rows.count, picture.height), each(section.columns.count, picture.width));
    let words = reductions.join(" and ");
    if down.max(across) > 1 {
        let size = if section.rows.count > 1 { format!("{down} x {across}") } else { across.to_string() };
        row.put(&format!("  {words} of {size} elements in a pixel"), Role::Dim);
    }
}

/// The range of the picture, with its colours.
fn colours(row: &mut Row<'_, '_>, picture: &ArrayPicture) {
    let Some((low, high)) = picture.range else {
        row.put("no finite number", Role::Dim);
        odd(row, picture);
        return;
    };
    row.put(&rounded(low.get()), Role::Value).put(" ", Role::Text);
    if picture.reductions.len() == 1 {
        let ascii = row.pen.glyphs.cut.is_ascii();
        for step in 0..SCALE {
            let level = step as f64 / (SCALE - 1) as f64;
            match row.pen.theme.heat(level) {
                Some(colour) => {
                    let style = ratatui::style::Style { bg: Some(colour), ..row.pen.style(Role::Text) };
                    row.styled(" ", style);
                }
                None => _ = row.sign(shade(level, ascii), Role::Text),
            }
        }
    } else {
        row.put("to", Role::Dim);
    }
    row.put(" ", Role::Text).put(&rounded(high.get()), Role::Value);
    odd(row, picture);
}

/// The colours of numbers that are not finite, if the picture has any.
fn odd(row: &mut Row<'_, '_>, picture: &ArrayPicture) {
    for (level, sign, name) in [(ArrayPicture::NAN, 'N', "NaN"), (ArrayPicture::INFINITE, 'I', "infinite")] {
        if !picture.levels.chunks_exact(2).any(|bytes| bytes == level.to_be_bytes()) {
            continue;
        }
        row.put("  ", Role::Text);
        match row.pen.style(Role::HeatOdd).fg.filter(|_| row.pen.theme.has_colours()) {
            Some(colour) => row.styled(" ", ratatui::style::Style { bg: Some(colour), ..row.pen.style(Role::Text) }),
            None => row.sign(sign, Role::HeatOdd),
        };
        row.put(&format!(" {name}"), Role::Dim);
    }
}
