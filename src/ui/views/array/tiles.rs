//! A distributed array: the parts of several ranks, put together in one picture.

use super::graphics::kind::Graphics;
use super::graphics::prepared::Label;
use super::{draw_picture, heat_map, legend, room};
use crate::array_state::{Grid, Whole};
use crate::screen::{Pen, columns};
use crate::theme::Role;
use crate::view::View;
use controller::State;
use controller::state::Tiling;
use model::{ArrayPicture, ProcessSet, Rank};
use ratatui::layout::{Position, Rect};
use ratatui::style::Style;
use std::sync::Arc;

/// True if the array has one dimension, whose parts make one line.
fn is_line(state: &State, view: &View) -> bool {
    let part = view.array.part(&state.inspection.array);
    part.is_some_and(|part| Grid::of(&part.shape, view.array.axes).is_folded())
}

/// The places of the ranks' parts, if they are put together: those of the layout, in the plane of the lead; without one,
/// those of the focus one after the other along the dimension that varies slowest in memory. `None` also if there are
/// too many.
pub(crate) fn tiling(state: &State, view: &View) -> Option<Tiling> {
    let array = &view.array;
    if !(array.together && array.picture) {
        return None;
    }
    let shape = array.part(&state.inspection.array).map(|part| &part.shape);
    let axes = array.axes.or_else(|| shape.map(|shape| shape.usual_axes())).unwrap_or_default();
    let grid = state.layout.grid(state.size()).filter(|_| !is_line(state, view));
    let tiling = if let Some(grid) = grid {
        let (rows, columns) = grid.plane();
        let count = rows.saturating_mul(columns).max(1);
        let first = state.lead.0 - state.lead.0 % count;
        let ranks = ProcessSet::range(first, first.saturating_add(count));
        // Where the dimensions are exchanged on the screen, those of the ranks are, too.
        let turned = axes.rows > axes.columns;
        let (rows, columns) = if turned { (columns, rows) } else { (rows, columns) };
        Tiling { ranks, rows, columns, by_columns: turned }
    } else {
        let slowest =
            shape.map(|shape| if shape.by_columns { shape.extents.len().saturating_sub(1) as u32 } else { 0 });
        let is_across = slowest.is_some() && axes.columns == slowest;
        if is_across { Tiling::line(state.focus.set.clone()) } else { Tiling::pile(state.focus.set.clone()) }
    };
    (tiling.ranks.len() <= Tiling::MOST).then_some(tiling)
}

/// The ranks and their arrangement, for the title.
pub(super) fn title(tiling: &Tiling) -> String {
    let (ranks, noun) = (&tiling.ranks, if tiling.ranks.len() == 1 { "rank" } else { "ranks" });
    format!("  {noun} {ranks} as {}x{}", tiling.rows, tiling.columns)
}

/// The message when the parts are put together.
pub(crate) fn told(tiling: &Tiling, state: &State) -> String {
    if state.layout.grid(state.size()).is_some() {
        return "the ranks in the places of the layout; arrows choose one".to_owned();
    }
    let arranged = if tiling.rows > 1 { "one below the other" } else { "side by side" };
    let advice = nearly_square(state.size());
    let advice =
        advice.map_or_else(String::new, |(rows, columns)| format!("; `layout {rows}x{columns}` tells their places"));
    format!("the ranks {arranged}{advice}")
}

/// The rows and columns of a grid of so many ranks that is nearly square; `None` if they are in no grid.
fn nearly_square(size: u32) -> Option<(u32, u32)> {
    (2..=size.isqrt()).rev().find(|rows| size.is_multiple_of(*rows)).map(|rows| (rows, size / rows))
}

/// Puts the whole together for the body of the view; the one before is kept if nothing of it has changed.
pub(crate) fn whole(state: &State, view: &View, body: Rect) -> Option<Whole> {
    let (tiling, tiles) = (tiling(state, view)?, &state.inspection.array.tiles);
    let size = size(state, view, Rect { height: room(body, view).lines, ..body });
    if let Some(whole) = kept(state, view, &tiling, size) {
        return Some(whole.clone());
    }
    let picture = tiles.picture(&tiling, size.0, size.1).map(Arc::new);
    Some(Whole { version: tiles.version().clone(), tiling, size, picture })
}

/// The whole that is kept, if it is this one.
fn kept<'a>(state: &State, view: &'a View, tiling: &Tiling, size: (u32, u32)) -> Option<&'a Whole> {
    let version = state.inspection.array.tiles.version();
    let whole = view.array.whole.as_ref();
    whole.filter(|whole| whole.version == *version && whole.tiling == *tiling && whole.size == size)
}

/// The most pixels of the whole, down and across.
fn size(state: &State, view: &View, area: Rect) -> (u32, u32) {
    let graphics = view.array.pixels.graphics;
    if is_line(state, view) {
        (1, graphics.columns_of_line(area.width))
    } else {
        graphics.rows_and_columns(area.height, area.width)
    }
}

/// The picture of the whole; `None` as long as no part is known.
fn picture(state: &State, view: &View, tiling: &Tiling, area: Rect) -> Option<Arc<ArrayPicture>> {
    let size = size(state, view, area);
    match kept(state, view, tiling, size) {
        Some(whole) => whole.picture.clone(),
        None => state.inspection.array.tiles.picture(tiling, size.0, size.1).map(Arc::new),
    }
}

pub(super) fn draw(pen: &mut Pen<'_>, (elements, below): (Rect, Rect), state: &State, view: &View, tiling: &Tiling) {
    let tiles = &state.inspection.array.tiles;
    let (known, failed) = (tiles.ranks().intersection(&tiling.ranks), tiles.failed());
    let Some(picture) = picture(state, view, tiling, elements) else {
        let (words, role) = match failed {
            Some((ranks, why)) => (format!("{}: {}", ranks_named(&ranks), why.message), Role::Error),
            None => (format!("reading the arrays of {} …", ranks_named(&tiling.ranks)), Role::Dim),
        };
        pen.row(elements, 0).put(" ", Role::Text).put(&words, role);
        return;
    };
    draw_picture(pen, elements, &picture);
    if let Some((x, line)) = place_of_lead(state, tiling, elements, &picture, Graphics::Blocks.dots()) {
        let name = state.lead.to_string();
        let width = (columns(&name) as u16).min(elements.width.saturating_sub(x));
        pen.row(Rect { x: elements.x + x, width, ..elements }, line).put(&name, Role::Cursor);
    }
    let words = match failed {
        Some((ranks, why)) => Some((format!("{}: {}", ranks_named(&ranks), why.message), Role::Error)),
        None => missing(state, &known, tiling).map(|words| (words, Role::Warning)),
    };
    legend::draw_of_ranks(pen, below, state, &picture, words);
}

/// The cell at which the part of the lead begins, from the left and the top; `None` in the picture of a line. A cell has
/// so many dots across and down.
fn place_of_lead(
    state: &State,
    tiling: &Tiling,
    area: Rect,
    picture: &ArrayPicture,
    (across, down): (u32, u32),
) -> Option<(u16, u16)> {
    let (row, column) = tiling.place(state.lead).filter(|_| picture.reductions.len() == 1)?;
    let extent = (picture.height, picture.width);
    let (size, stride) = (heat_map::size(area, extent, (across, down)), heat_map::stride(area, extent, (across, down)));
    let at = |number: u32, all: u32, pixels: u32| {
        (u64::from(number) * u64::from(pixels) / u64::from(all.max(1))) as u32 / stride * size
    };
    let (x, line) = (at(column, tiling.columns, picture.width) / across, at(row, tiling.rows, picture.height) / down);
    Some((u16::try_from(x).ok()?, u16::try_from(line).ok()?))
}

/// The picture of the whole in an area, and the name of the lead at its part, for the pixels of the terminal.
pub(super) fn in_pixels(
    state: &State,
    view: &View,
    tiling: &Tiling,
    area: Rect,
    style: Style,
) -> Option<(Arc<ArrayPicture>, Option<Label>)> {
    let picture = picture(state, view, tiling, area)?;
    let place = place_of_lead(state, tiling, area, &picture, view.array.pixels.graphics.dots());
    let label = place.map(|place| Label { place, text: state.lead.to_string(), style });
    Some((picture, label))
}

/// Why parts are missing; ranks that run have to be halted first.
fn missing(state: &State, known: &ProcessSet, tiling: &Tiling) -> Option<String> {
    let without = tiling.ranks.difference(known);
    let moving = without.difference(&state.ranks.at_rest());
    match (without.len(), moving.len()) {
        (0, _) => None,
        (_, 0) => Some(format!("{} of {} ranks have answered", known.len(), tiling.ranks.len())),
        (_, moving) => {
            let verb = if moving == 1 { "is" } else { "are" };
            Some(format!("?: {moving} of {} ranks {verb} not stopped", tiling.ranks.len()))
        }
    }
}

fn ranks_named(ranks: &ProcessSet) -> String {
    let noun = if ranks.len() == 1 { "rank" } else { "ranks" };
    format!("{noun} {ranks}")
}

/// The rank whose part is at a place on the screen.
pub(crate) fn rank_at(state: &State, view: &View, tiling: &Tiling, body: Rect, position: Position) -> Option<Rank> {
    let area = Rect { height: room(body, view).lines, ..body };
    let picture = picture(state, view, tiling, area)?;
    let (x, line) = (u32::from(position.x.checked_sub(area.x)?), u32::from(position.y.checked_sub(area.y)?));
    let part = |pixel: u32, parts: u32, pixels: u32| {
        (pixel < pixels).then(|| (u64::from(pixel) * u64::from(parts) / u64::from(pixels.max(1))) as u32)
    };
    let (across, down) = view.array.pixels.dots();
    if picture.reductions.len() > 1 {
        return tiling.rank_at(0, part(x, tiling.columns, u32::from(area.width))?);
    }
    let extent = (picture.height, picture.width);
    let (size, stride) = (heat_map::size(area, extent, (across, down)), heat_map::stride(area, extent, (across, down)));
    let row = part(down * line / size * stride, tiling.rows, picture.height)?;
    tiling.rank_at(row, part(across * x / size * stride, tiling.columns, picture.width)?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use model::{ArrayFinding, ArrayLook, ArrayPart, ArraySection, ArrayShape};

    #[test]
    fn the_whole_is_kept_until_an_answer_or_the_size_changes() {
        let look = ArrayLook::Picture { section: ArraySection::default(), height: 1, width: 1, reductions: Vec::new() };
        let answer = |state: &mut State, rank| {
            let levels = vec![0, 9];
            let picture = ArrayPicture {
                section: ArraySection::default(),
                height: 1,
                width: 1,
                reductions: vec![model::Reduction::default()],
                range: Some((model::Double::new(0.0), model::Double::new(1.0))),
                levels,
            };
            let shape =
                ArrayShape { element_type: "char".into(), extents: Vec::new(), parentheses: false, by_columns: false };
            let part = ArrayPart { shape, finding: ArrayFinding::Picture(picture) };
            state.inspection.array.tiles.learn(&look, &ProcessSet::one(Rank(rank)), Ok(part));
        };
        let (mut state, mut view) = (State::default(), View::default());
        (view.array.together, view.array.picture) = (true, true);
        state.focus.set = ProcessSet::all(4);
        let body = Rect::new(0, 0, 40, 12);
        let mut put_together = |state: &State, body| {
            view.array.whole = whole(state, &view, body);
            view.array.whole.as_ref().unwrap().picture.clone()
        };
        assert!(put_together(&state, body).is_none());
        answer(&mut state, 0);
        let first = put_together(&state, body).unwrap();
        assert!(Arc::ptr_eq(&first, &put_together(&state, body).unwrap()));
        let smaller = put_together(&state, Rect { width: 30, ..body }).unwrap();
        assert!(!Arc::ptr_eq(&first, &smaller));
        answer(&mut state, 1);
        let both = put_together(&state, Rect { width: 30, ..body }).unwrap();
        assert!(!Arc::ptr_eq(&smaller, &both) && both.levels != smaller.levels);
        // The answers of another array are others, even if they are as many.
        state.inspection.array.tiles = Default::default();
        answer(&mut state, 2);
        answer(&mut state, 3);
        assert_ne!(put_together(&state, Rect { width: 30, ..body }).unwrap().levels, both.levels);
    }

    #[test]
    fn a_layout_that_the_job_has_is_proposed() {
        assert_eq!(
            [2, 4, 6, 7, 64, 1200].map(nearly_square),
            [None, Some((2, 2)), Some((2, 3)), None, Some((8, 8)), Some((30, 40))]
        );
    }

    #[test]
    fn in_pixels_a_click_on_the_name_of_a_rank_is_on_its_part() {
        let levels = |of: u16| (0..12_u16).flat_map(|at| (of * 100 + at).to_be_bytes()).collect();
        let picture = |of: u16| ArrayPicture {
            section: ArraySection::default(),
            height: 3,
            width: 4,
            reductions: vec![model::Reduction::default()],
            range: Some((model::Double::new(0.0), model::Double::new(1.0))),
            levels: levels(of),
        };
        let extents = vec![model::ArrayExtent { lower: 0, count: 4 }; 2];
        let shape = ArrayShape { element_type: "int".into(), extents, parentheses: false, by_columns: false };
        let part = |of| ArrayPart { shape: shape.clone(), finding: ArrayFinding::Picture(picture(of)) };
        let look = ArrayLook::Picture { section: ArraySection::default(), height: 3, width: 4, reductions: Vec::new() };
        let (mut state, mut view) = (State::default(), View::default());
        (view.array.together, view.array.picture, view.array.expression) = (true, true, "u".into());
        (state.focus.set, state.inspection.array.expression) = (ProcessSet::all(5), "u".into());
        let shown = controller::state::ShownPart { part: part(0), changed: Vec::new() };
        state.inspection.array.shown = controller::state::Lookup::Known(shown);
        (0..5).for_each(|rank| {
            state.inspection.array.tiles.learn(&look, &ProcessSet::one(Rank(rank)), Ok(part(rank as u16)));
        });
        let theme = crate::theme::Theme::dark();
        let cell = crate::CellSize::new(7, 15).unwrap();
        // In the last one there is room for less than one half block for each pixel.
        for (graphics, body) in [
            (Graphics::Kitty(cell), Rect::new(2, 1, 60, 31)),
            (Graphics::Sixel(cell), Rect::new(2, 1, 60, 31)),
            (Graphics::Kitty(cell), Rect::new(0, 0, 30, 7)),
        ] {
            view.array.pixels = super::super::Pixels::default();
            view.array.pixels.graphics = graphics;
            view.array.whole = whole(&state, &view, body);
            for rank in 0..5 {
                state.lead = Rank(rank);
                let mut pixels = view.array.pixels.clone();
                super::super::prepare(&mut pixels, Some(body), &state, &view, &theme);
                view.array.pixels = pixels;
                let cells = view.array.pixels.cells().unwrap();
                let name = rank.to_string();
                let at = cells.area.positions().find(|at| cells[*at].symbol() == name).unwrap();
                let tiling = tiling(&state, &view).unwrap();
                assert_eq!((tiling.rows, tiling.columns), (5, 1));
                // The name may begin in the last row of the part above.
                let below = Position { y: at.y + 1, ..at };
                let found = [at, below].map(|at| rank_at(&state, &view, &tiling, body, at));
                assert!(found.contains(&Some(Rank(rank))), "rank {rank} at {at}: {found:?}");
            }
        }
    }
}
