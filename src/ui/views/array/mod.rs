//! The array view: a grid of elements, or a picture of all of them.

pub(crate) mod graphics;
pub(crate) mod grid;
mod heat_map;
mod legend;
mod line_plot;
pub(crate) mod tiles;

use crate::action::Action;
use crate::array_state::PictureWindow;
use crate::array_state::Room;
use crate::screen::Pen;
use crate::theme::{Role, Theme};
use crate::view::View;
use crate::views::list_rows::absence;
use controller::State;
use controller::report::arrays::words::{dimensions, part_words, section_words};
use controller::state::Lookup;
use graphics::Palette;
use graphics::prepared::{Pixels, Wanted};
use model::{ArrayFinding, ArrayPicture};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

/// The lines below the elements: the statistics, and what is under the cursor.
fn lines_below(view: &View) -> u16 {
    1 + u16::from(view.array.statistics)
}

/// The room for elements or pixels.
pub(crate) fn room(body: Rect, view: &View) -> Room {
    let header = u16::from(!view.array.picture);
    Room { lines: body.height.saturating_sub(lines_below(view) + header).max(1), width: body.width }
}

pub(crate) fn title(state: &State, view: &View) -> Vec<(String, Role)> {
    let array = &view.array;
    if array.expression.is_empty() {
        return Vec::new();
    }
    let mut words = vec![(array.expression.clone(), Role::CodeFunction)];
    if let Some(part) = array.part(&state.inspection.array) {
        let shape = &part.shape;
        words.push((format!("  {} {}", shape.element_type, dimensions(shape)).trim_end().to_owned(), Role::Dim));
        let axes = array.axes.unwrap_or_else(|| shape.usual_axes());
        let section = section_words(shape, axes, &array.fixed(shape));
        let shown = array.part_shown(shape);
        let section = match shown {
            Some(PictureWindow { rows, columns }) => part_words(shape, axes, &array.fixed(shape), (rows, columns)),
            None => section,
        };
        if !section.is_empty() {
            words.push((format!("  {section}"), if shown.is_some() { Role::Note } else { Role::Text }));
        }
    }
    match tiles::tiling(state, view) {
        Some(tiling) => words.push((tiles::title(&tiling), Role::Dim)),
        None if state.size() > 1 => words.push((format!("  rank {}", state.lead), Role::Dim)),
        None => {}
    }
    words
}

/// True if the array has more dimensions than a grid shows.
pub(crate) fn has_sections(state: &State, view: &View) -> bool {
    view.array.part(&state.inspection.array).is_some_and(|part| part.shape.extents.len() > 2)
}

/// Draws a picture: one of two planes is that of a line.
fn draw_picture(pen: &mut Pen<'_>, area: Rect, picture: &ArrayPicture) {
    if picture.reductions.len() > 1 {
        line_plot::draw(pen, area, picture);
    } else {
        heat_map::draw(pen, area, picture);
    }
}

/// The areas of the elements or the picture, and of the lines below.
fn areas(body: Rect, view: &View) -> (Rect, Rect) {
    let below = lines_below(view).min(body.height.saturating_sub(1));
    let elements = Rect { height: body.height - below, ..body };
    (elements, Rect { y: body.y + elements.height, height: below, ..body })
}

/// Prepares the picture for the pixels of the terminal; returns what the terminal has to get before the next frame.
pub(crate) fn prepare(pixels: &mut Pixels, body: Option<Rect>, state: &State, view: &View, theme: &Theme) -> String {
    let area = body.filter(|_| view.array.picture && !view.ascii).map(|body| areas(body, view).0);
    let palette = area.filter(|_| pixels.graphics.cell().is_some()).and_then(|_| Palette::of(theme));
    let (Some(area), Some(palette), Some(part)) = (area, palette, view.array.part(&state.inspection.array)) else {
        return pixels.prepare(None);
    };
    let ground = theme.style(Role::Text);
    if let Some(tiling) = tiles::tiling(state, view) {
        let found = tiles::in_pixels(state, view, &tiling, area, theme.style(Role::Cursor));
        let wanted =
            found.as_ref().map(|(picture, label)| Wanted { picture, area, palette, ground, label: label.clone() });
        return pixels.prepare(wanted.as_ref());
    }
    match &part.finding {
        ArrayFinding::Picture(picture) => pixels.prepare(Some(&Wanted { picture, area, palette, ground, label: None })),
        ArrayFinding::Page(_) | ArrayFinding::Match(_) => pixels.prepare(None),
    }
}

/// The cells of the picture in pixels, if this is what the view shows.
pub(crate) fn in_pixels(body: Rect, view: &View) -> Option<&Buffer> {
    let cells = view.array.pixels.cells()?;
    (view.array.picture && cells.area == areas(body, view).0).then_some(cells)
}

pub(crate) fn draw(pen: &mut Pen<'_>, body: Rect, state: &State, view: &View) {
    let array = &view.array;
    if array.expression.is_empty() {
        let key = view.keys.first_key(Action::OpenArray);
        let words = format!("no array yet: {key} on a variable, or :array EXPRESSION");
        pen.row(body, 0).put(" ", Role::Text).put(&words, Role::Dim);
        return;
    }
    let known = &state.inspection.array;
    let Some(part) = array.part(known) else {
        let words = if known.expression == array.expression { absence(state, &known.shown) } else { None };
        let words = words.unwrap_or_else(|| absence::<()>(state, &Lookup::Absent).unwrap_or_default());
        let mut lines = crate::screen::wrapped(&words, usize::from(body.width.saturating_sub(2)), 0);
        if matches!(known.shown, Lookup::Failed(_)) {
            let escape = view.keys.first_key(Action::Escape);
            lines.push(format!("{escape} goes back to the source"));
        }
        for (line, text) in lines.iter().enumerate() {
            pen.row(body, line as u16).put(" ", Role::Text).put(text, Role::Dim);
        }
        return;
    };
    let (elements, rest) = areas(body, view);
    if let Some(tiling) = tiles::tiling(state, view) {
        return tiles::draw(pen, (elements, rest), state, view, &tiling);
    }
    match &part.finding {
        ArrayFinding::Page(page) if !array.picture => grid::draw(pen, elements, (state, view), &part.shape, page),
        ArrayFinding::Picture(picture) if array.picture => {
            draw_picture(pen, elements, picture);
        }
        _ => _ = pen.row(body, 0).put(" ", Role::Text).put("reading the array …", Role::Dim),
    }
    legend::draw(pen, rest, state, view, part);
}
