//! The state of the array view: what it shows of which array, and where its cursor is.

use super::picture_window::PictureWindow;
use crate::views::array::graphics::prepared::Pixels;
use controller::state::{ArrayWish, ShownArray, TilesVersion, TilesWish, Tiling};
use model::{
    ArrayFinding, ArrayLook, ArrayPage, ArrayPart, ArrayPicture, ArraySection, ArrayShape, Axes, Rank, Reduction,
    ScanCondition, Span,
};
use std::sync::Arc;

/// The elements in a line of an array of one dimension.
pub(crate) const FOLD: u64 = 10;

/// A search for an element that meets a condition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sought {
    /// The condition. Elements are marked by it once the rank has understood it.
    pub condition: ScanCondition,
    /// The element to search from, by its number in each dimension.
    pub from: Vec<u64>,
    /// True to search for the one before.
    pub backward: bool,
}

impl Sought {
    /// The request for it.
    pub(crate) fn look(&self) -> ArrayLook {
        let Self { condition, from, backward } = self.clone();
        ArrayLook::Match { condition, from, backward }
    }
}

/// The picture of the whole, as it was put together before the drawing.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Whole {
    pub(crate) version: TilesVersion,
    pub(crate) tiling: Tiling,
    pub(crate) size: (u32, u32),
    /// `None` as long as no part is known.
    pub(crate) picture: Option<Arc<ArrayPicture>>,
}

/// The state of the array view.
#[derive(Clone, Debug, Default)]
pub struct ArrayView {
    /// The array; empty if none has been opened.
    pub expression: String,
    /// The dimensions along lines and columns; `None`: the usual ones.
    pub axes: Option<Axes>,
    /// The place in each dimension; that in the dimensions shown is the cursor's.
    pub at: Vec<u64>,
    /// The line of the cursor in the grid.
    pub row: u64,
    /// Its column.
    pub column: u64,
    /// The first visible line.
    pub top: u64,
    /// The first visible column.
    pub left: u64,
    /// True for a picture instead of the grid.
    pub picture: bool,
    /// The part of the section that the picture of one rank shows.
    pub window: PictureWindow,
    /// How the terminal shows pictures, and the one that it shows.
    pub pixels: Pixels,
    /// True to put the parts of several ranks together in the picture.
    pub together: bool,
    /// The parts put together, as long as nothing of them changes.
    pub(crate) whole: Option<Whole>,
    /// What the pixels of the picture show.
    pub reduction: Reduction,
    /// True to show the statistics of the array.
    pub statistics: bool,
    /// The condition that marked elements meet.
    pub condition: Option<ScanCondition>,
    /// The search in progress.
    pub sought: Option<Sought>,
    /// The number of the match under the cursor, and of all; `None` before a search.
    pub counted: Option<(u64, u64)>,
    /// The rank, and the number of its stop, in whose array they were counted.
    pub counted_in: (Rank, u64),
    /// The match under the cursor.
    pub found: Option<Vec<u64>>,
}

/// The lines and columns of the grid. An array of one dimension has [`FOLD`] elements in a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Grid {
    pub(crate) axes: Axes,
    pub(crate) rows: u64,
    pub(crate) columns: u64,
    /// The elements, if they are in one dimension.
    folded: Option<u64>,
}

impl Grid {
    pub(crate) fn of(shape: &ArrayShape, axes: Option<Axes>) -> Self {
        let axes = axes.unwrap_or_else(|| shape.usual_axes());
        let (rows, columns) = (shape.along(axes.rows).count, shape.along(axes.columns).count);
        if axes.rows.is_some() || axes.columns.is_none() {
            return Self { axes, rows, columns, folded: None };
        }
        Self { axes, rows: columns.div_ceil(FOLD), columns: columns.min(FOLD), folded: Some(columns) }
    }

    /// The numbers along the axes of the element at a line and a column; `None` behind the last one.
    pub(crate) fn element(self, row: u64, column: u64) -> Option<(u64, u64)> {
        match self.folded {
            None => (row < self.rows && column < self.columns).then_some((row, column)),
            Some(all) => {
                let number = row.checked_mul(FOLD)?.checked_add(column)?;
                (column < FOLD && number < all).then_some((0, number))
            }
        }
    }

    /// The line and column of an element by its numbers along the axes.
    fn cell(self, row: u64, column: u64) -> (u64, u64) {
        if self.folded.is_some() { (column / FOLD, column % FOLD) } else { (row, column) }
    }

    /// True if a line holds the elements behind those of the line before.
    pub(crate) fn is_folded(self) -> bool {
        self.folded.is_some()
    }

    /// The section of these lines and columns.
    fn section(self, at: &[u64], rows: Span, columns: Span) -> ArraySection {
        let (rows, columns) = match self.folded {
            None => (rows, columns),
            Some(_) => {
                let elements = Span { from: rows.from * FOLD, count: rows.count.saturating_mul(FOLD) };
                (Span { from: 0, count: 1 }, elements)
            }
        };
        ArraySection { axes: Some(self.axes), at: at.to_vec(), rows, columns }
    }
}

/// The room of the view on the screen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Room {
    /// Lines of elements, or of the picture.
    pub(crate) lines: u16,
    /// The columns of the terminal.
    pub(crate) width: u16,
}

/// The fewest columns of the terminal that an element takes.
const NARROWEST: u16 = 4;

impl ArrayView {
    /// Opens another array, or returns to the one shown. What reads a whole array is not done until it is asked for.
    pub(crate) fn open(&mut self, expression: &str) {
        if self.expression != expression {
            let pixels = std::mem::take(&mut self.pixels);
            *self = Self { expression: expression.to_owned(), pixels, ..Self::default() };
        }
    }

    /// What is to be requested for this room, if the view is on the screen. `tiling`: the places of the ranks' parts, if
    /// they are put together.
    pub(crate) fn wish(&self, known: &ShownArray, room: Room, tiling: Option<Tiling>) -> Option<ArrayWish> {
        if self.expression.is_empty() {
            return None;
        }
        let shape = self.part(known).map(|part| &part.shape);
        let shown = match &tiling {
            _ if !self.picture => self.page_wish(shape, room),
            Some(tiling) => {
                let ((height, width), columns) = self.most_pixels(room);
                self.picture_wish(shape, tiling.share(height, width), tiling.share(1, columns).1)
            }
            None => {
                let (size, columns) = self.most_pixels(room);
                self.picture_wish(shape, size, columns)
            }
        };
        let sought = self.sought.as_ref().map(Sought::look);
        let tiles = tiling.map(|tiling| TilesWish { tiling, look: shown.clone() });
        Some(ArrayWish { expression: self.expression.clone(), shown, statistics: self.statistics, sought, tiles })
    }

    /// What is known of the array on the screen.
    pub(crate) fn part<'a>(&self, known: &'a ShownArray) -> Option<&'a ArrayPart> {
        known.shown.value().map(|shown| &shown.part).filter(|_| known.expression == self.expression)
    }

    /// The page of the grid.
    pub(crate) fn page<'a>(&self, known: &'a ShownArray) -> Option<&'a ArrayPage> {
        match &self.part(known)?.finding {
            ArrayFinding::Page(page) => Some(page),
            ArrayFinding::Picture(_) | ArrayFinding::Match(_) => None,
        }
    }

    fn page_wish(&self, shape: Option<&ArrayShape>, room: Room) -> ArrayLook {
        let (lines, columns) = (u64::from(room.lines.max(1)), u64::from((room.width / NARROWEST).max(1)));
        // Twice of what is visible, from a multiple on: most moves of the cursor need nothing new.
        let span = |first: u64, visible: u64| Span { from: first / visible * visible, count: 2 * visible };
        let (mut rows, mut across) = (span(self.top, lines), span(self.left, columns));
        if rows.count.saturating_mul(across.count) > ArrayPage::MOST {
            (rows, across) = (Span { from: self.top, count: lines }, Span { from: self.left, count: columns });
        }
        let condition = self.condition.clone();
        let Some(shape) = shape else {
            // An array of one dimension has so many times the columns.
            let across = Span { count: across.count.min(2 * FOLD.max(columns)), ..across };
            return ArrayLook::Page {
                section: ArraySection { axes: None, at: Vec::new(), rows, columns: across },
                condition,
            };
        };
        let section = Grid::of(shape, self.axes).section(&self.fixed(shape), rows, across);
        ArrayLook::Page { section, condition }
    }

    /// The most pixels of a picture, down and across, and the most columns of that of a line.
    fn most_pixels(&self, room: Room) -> ((u32, u32), u32) {
        let graphics = self.pixels.graphics;
        (graphics.rows_and_columns(room.lines, room.width), graphics.columns_of_line(room.width))
    }

    /// The picture of the lead's array, or of each rank's part, of so many pixels down and across; of a line, of so many
    /// columns.
    fn picture_wish(&self, shape: Option<&ArrayShape>, (height, width): (u32, u32), columns: u32) -> ArrayLook {
        let line = shape.is_some_and(|shape| Grid::of(shape, self.axes).is_folded());
        let at = shape.map(|shape| self.fixed(shape)).unwrap_or_default();
        let PictureWindow { rows, columns: across } =
            if self.together { PictureWindow::default() } else { self.window };
        let section = ArraySection { axes: self.axes, at, rows, columns: across };
        let (height, width, reductions) = if line {
            (1, columns, vec![Reduction::Minimum, Reduction::Maximum])
        } else {
            (height, width, vec![self.reduction])
        };
        ArrayLook::Picture { section, height, width, reductions }
    }

    /// The place in the dimensions that are not shown; 0 in the others, whose cursor changes nothing.
    pub(crate) fn fixed(&self, shape: &ArrayShape) -> Vec<u64> {
        let axes = self.axes.unwrap_or_else(|| shape.usual_axes());
        let is_axis = |dimension: usize| [axes.rows, axes.columns].contains(&u32::try_from(dimension).ok());
        let place =
            |dimension: usize| if is_axis(dimension) { 0 } else { self.at.get(dimension).copied().unwrap_or(0) };
        (0..shape.extents.len()).map(place).collect()
    }

    /// The element under the cursor, by its number in each dimension.
    pub(crate) fn element(&self, shape: &ArrayShape) -> Option<Vec<u64>> {
        let grid = Grid::of(shape, self.axes);
        let (row, column) = grid.element(self.row, self.column)?;
        let mut at = self.fixed(shape);
        for (axis, number) in [(grid.axes.rows, row), (grid.axes.columns, column)] {
            if let Some(place) = axis.and_then(|axis| at.get_mut(axis as usize)) {
                *place = number;
            }
        }
        Some(at)
    }

    /// Moves the cursor to an element.
    pub(crate) fn go_to(&mut self, at: &[u64], shape: &ArrayShape) {
        self.at = at.to_vec();
        let grid = Grid::of(shape, self.axes);
        let along = |axis: Option<u32>| axis.and_then(|axis| at.get(axis as usize)).copied().unwrap_or(0);
        (self.row, self.column) = grid.cell(along(grid.axes.rows), along(grid.axes.columns));
    }

    /// The rows and columns of the section that is shown.
    fn size(&self, shape: &ArrayShape) -> (u64, u64) {
        let axes = self.axes.unwrap_or_else(|| shape.usual_axes());
        (shape.along(axes.rows).count, shape.along(axes.columns).count)
    }

    /// Shows half of the picture, larger; false if one element is shown.
    pub(crate) fn zoom_in(&mut self, shape: &ArrayShape) -> bool {
        let closer = self.window.closer(self.size(shape));
        self.window = closer.unwrap_or(self.window);
        closer.is_some()
    }

    /// Shows twice as much in the picture; false if it is all.
    pub(crate) fn zoom_out(&mut self, shape: &ArrayShape) -> bool {
        let size = self.size(shape);
        let was_whole = self.window.is_whole(size);
        self.window = self.window.farther(size);
        !was_whole
    }

    /// The part of the section that the picture shows, if not all of it.
    pub(crate) fn part_shown(&self, shape: &ArrayShape) -> Option<PictureWindow> {
        let is_part = self.picture && !self.together && !self.window.is_whole(self.size(shape));
        is_part.then_some(self.window)
    }

    /// Moves the cursor, which stays in the array; of a picture that shows a part, another part is shown.
    pub(crate) fn move_by(&mut self, rows: i64, columns: i64, shape: &ArrayShape) {
        if self.part_shown(shape).is_some() {
            self.window = self.window.moved((rows, columns), self.size(shape));
            return;
        }
        self.row = self.row.saturating_add_signed(rows);
        self.column = self.column.saturating_add_signed(columns);
        self.stay_inside(shape);
    }

    /// Puts the cursor on an element. The array may have had other bounds, or dimensions, before.
    pub(crate) fn stay_inside(&mut self, shape: &ArrayShape) {
        let is_there = |axis: Option<u32>| axis.is_none_or(|axis| (axis as usize) < shape.extents.len());
        self.axes = self.axes.filter(|axes| is_there(axes.rows) && is_there(axes.columns));
        for (at, extent) in self.at.iter_mut().zip(&shape.extents) {
            *at = (*at).min(extent.count.saturating_sub(1));
        }
        let grid = Grid::of(shape, self.axes);
        self.row = self.row.min(grid.rows.saturating_sub(1));
        self.column = self.column.min(grid.columns.saturating_sub(1));
        while self.column > 0 && grid.element(self.row, self.column).is_none() {
            self.column -= 1;
        }
    }

    /// Goes to the next section of the array, or the one before, in the order of its other dimensions; false if there
    /// are no others.
    pub(crate) fn step_section(&mut self, forward: bool, shape: &ArrayShape) -> bool {
        let axes = self.axes.unwrap_or_else(|| shape.usual_axes());
        let mut at = self.fixed(shape);
        let is_axis = |dimension: usize| [axes.rows, axes.columns].contains(&u32::try_from(dimension).ok());
        let mut others: Vec<usize> = (0..at.len()).filter(|dimension| !is_axis(*dimension)).collect();
        if !shape.by_columns {
            others.reverse();
        }
        for dimension in &others {
            let (Some(place), Some(extent)) = (at.get_mut(*dimension), shape.extents.get(*dimension)) else { break };
            let last = extent.count.saturating_sub(1);
            let carries = *place == if forward { last } else { 0 };
            *place = match (carries, forward) {
                (true, true) => 0,
                (true, false) => last,
                (false, true) => *place + 1,
                (false, false) => *place - 1,
            };
            if !carries {
                break;
            }
        }
        self.at = at;
        self.counted = None;
        !others.is_empty()
    }

    /// Shows another pair of dimensions, or the same one turned; false if there is only one dimension.
    pub(crate) fn turn(&mut self, shape: &ArrayShape) -> bool {
        let count = shape.extents.len() as u32;
        if count < 2 {
            return false;
        }
        let here = self.element(shape);
        let pairs: Vec<Axes> = (0..count)
            .flat_map(|rows| (0..count).map(move |columns| (rows, columns)))
            .filter(|(rows, columns)| rows != columns)
            .map(|(rows, columns)| Axes { rows: Some(rows), columns: Some(columns) })
            .collect();
        let now = self.axes.unwrap_or_else(|| shape.usual_axes());
        let next = pairs.iter().position(|axes| *axes == now).map_or(0, |at| (at + 1) % pairs.len());
        self.axes = pairs.get(next).copied();
        self.window = PictureWindow::default();
        if let Some(here) = here {
            self.go_to(&here, shape);
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use model::ArrayExtent;

    fn shape(counts: &[u64]) -> ArrayShape {
        let extents = counts.iter().map(|count| ArrayExtent { lower: 0, count: *count }).collect();
        ArrayShape { element_type: "int".into(), extents, parentheses: false, by_columns: false }
    }

    #[test]
    fn one_dimension_fills_lines() {
        let line = shape(&[23]);
        let mut view = ArrayView::default();
        view.move_by(9, 9, &line);
        assert_eq!((view.row, view.column), (2, 2), "the last element");
        assert_eq!(view.element(&line), Some(vec![22]));
        view.go_to(&[17], &line);
        assert_eq!((view.row, view.column), (1, 7));
    }

    #[test]
    fn sections_follow_each_other() {
        let four = shape(&[2, 3, 10, 10]);
        let mut view = ArrayView { row: 4, column: 5, ..ArrayView::default() };
        let mut places = Vec::new();
        for _ in 0..6 {
            assert!(view.step_section(true, &four));
            places.push((view.at[0], view.at[1]));
        }
        assert_eq!(places, [(0, 1), (0, 2), (1, 0), (1, 1), (1, 2), (0, 0)]);
        assert!(view.step_section(false, &four));
        assert_eq!(view.element(&four), Some(vec![1, 2, 4, 5]));
        assert!(!view.step_section(true, &shape(&[3, 3])));
    }

    #[test]
    fn turning_shows_every_pair_of_dimensions_and_keeps_the_element() {
        let cube = shape(&[4, 5, 6]);
        let mut view = ArrayView { at: vec![3, 0, 0], row: 2, column: 1, ..ArrayView::default() };
        let here = view.element(&cube);
        let mut seen = Vec::new();
        for _ in 0..6 {
            assert!(view.turn(&cube));
            assert_eq!(view.element(&cube), here);
            seen.push(view.axes);
        }
        seen.sort_by_key(|axes| axes.map(|axes| (axes.rows, axes.columns)));
        seen.dedup();
        assert_eq!(seen.len(), 6);
        assert_eq!(view.axes, Some(cube.usual_axes()));
        assert!(!view.turn(&shape(&[7])));
    }

    #[test]
    fn moves_within_a_page_need_no_other() {
        let plane = shape(&[1000, 1000]);
        let room = Room { lines: 20, width: 80 };
        let at = |top, left| {
            ArrayView { expression: "u".into(), top, left, ..ArrayView::default() }.page_wish(Some(&plane), room)
        };
        assert_eq!(at(0, 0), at(19, 19));
        assert_ne!(at(0, 0), at(20, 0));
        let ArrayLook::Page { section, .. } = at(25, 45) else { panic!("no page") };
        assert!(
            section.rows.contains(Span { from: 25, count: 20 })
                && section.columns.contains(Span { from: 45, count: 20 })
        );
    }
}
