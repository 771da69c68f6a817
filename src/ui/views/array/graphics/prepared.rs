//! The picture on the screen, encoded before the drawing: at most once for each picture and area.

use super::kind::{CellSize, Graphics};
use super::kitty::{self, Id};
use super::raster::{Palette, Raster};
use super::sixel;
use model::ArrayPicture;
use ratatui::buffer::{Buffer, CellDiffOption};
use ratatui::layout::Rect;
use ratatui::style::Style;
use std::fmt::Write;
use std::num::NonZeroU16;
use std::sync::Arc;

/// A cell of the terminal, whatever is written into it.
const ONE_CELL: CellDiffOption = CellDiffOption::ForcedWidth(NonZeroU16::MIN);

/// Words in a picture, at a cell of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Label {
    pub(crate) place: (u16, u16),
    pub(crate) text: String,
    pub(crate) style: Style,
}

/// A picture, and its place on the screen.
#[derive(Debug)]
pub(crate) struct Wanted<'a> {
    pub(crate) picture: &'a ArrayPicture,
    pub(crate) area: Rect,
    pub(crate) palette: Palette,
    /// The style of cells without a picture.
    pub(crate) ground: Style,
    pub(crate) label: Option<Label>,
}

#[derive(Debug)]
enum Data {
    Sixel(String),
    /// In the terminal.
    Kitty(Id),
}

/// A picture as the terminal takes it.
#[derive(Debug)]
struct Encoded {
    picture: ArrayPicture,
    area: Rect,
    palette: Palette,
    ground: Style,
    cell: CellSize,
    data: Arc<Data>,
    /// The cells of the terminal that it covers, across and down.
    covered: (u16, u16),
    label: Option<Label>,
    cells: Buffer,
}

impl Encoded {
    fn is_of(&self, wanted: &Wanted<'_>, cell: CellSize) -> bool {
        (self.area, self.cell, self.ground) == (wanted.area, cell, wanted.ground)
            && self.palette == wanted.palette
            && self.picture == *wanted.picture
    }
}

/// The terminal's way to show pictures, and the one that it shows.
#[derive(Clone, Debug, Default)]
pub struct Pixels {
    pub graphics: Graphics,
    shown: Option<Arc<Encoded>>,
    /// The number of the last change.
    serial: u32,
    /// The picture that the terminal keeps.
    kept: Option<Id>,
}

impl Pixels {
    /// The cells of the picture, if it is encoded.
    pub(crate) fn cells(&self) -> Option<&Buffer> {
        self.shown.as_ref().map(|shown| &shown.cells)
    }

    /// The dots in a cell of the picture on the screen, across and down.
    pub(crate) fn dots(&self) -> (u32, u32) {
        if self.shown.is_some() { self.graphics.dots() } else { Graphics::Blocks.dots() }
    }

    /// Encodes the picture unless it is the one shown; returns what the terminal has to get before the next frame.
    pub(crate) fn prepare(&mut self, wanted: Option<&Wanted<'_>>) -> String {
        let made = wanted.zip(self.graphics.cell()).and_then(|(wanted, cell)| self.made(wanted, cell));
        let Some((shown, out)) = made else {
            self.shown = None;
            return self.kept.take().map(Id::deletion).unwrap_or_default();
        };
        self.shown = Some(shown);
        out
    }

    /// Forgets the picture: the terminal no longer has it.
    pub(crate) fn forget(&mut self) {
        (self.shown, self.kept) = (None, None);
    }

    fn made(&mut self, wanted: &Wanted<'_>, cell: CellSize) -> Option<(Arc<Encoded>, String)> {
        let before = self.shown.as_ref().filter(|shown| shown.is_of(wanted, cell)).cloned();
        if let Some(before) = before.clone().filter(|before| before.label == wanted.label) {
            return Some((before, String::new()));
        }
        let mut out = String::new();
        let (data, covered) = match before {
            Some(before) => (before.data.clone(), before.covered),
            None => self.encoded(wanted, cell, &mut out)?,
        };
        self.serial = self.serial.wrapping_add(1);
        let cells = cells(wanted, &data, covered, self.serial);
        let shown = Encoded {
            picture: wanted.picture.clone(),
            area: wanted.area,
            palette: wanted.palette.clone(),
            ground: wanted.ground,
            cell,
            data,
            covered,
            label: wanted.label.clone(),
            cells,
        };
        Some((Arc::new(shown), out))
    }

    fn encoded(&mut self, wanted: &Wanted<'_>, cell: CellSize, out: &mut String) -> Option<(Arc<Data>, (u16, u16))> {
        let raster = Raster::of(wanted.picture, wanted.area, cell, &wanted.palette)?;
        let (across, down) = cell.pixels();
        let covered = ((raster.width as u32 / across) as u16, (raster.height as u32 / down) as u16);
        let data = match self.graphics {
            Graphics::Kitty(_) if covered.0.max(covered.1) <= kitty::MOST_CELLS => {
                let id = self.kept.map_or(Id::FIRST, Id::other);
                out.push_str(&kitty::transmission(&raster, id, covered));
                out.extend(self.kept.replace(id).map(Id::deletion));
                Data::Kitty(id)
            }
            Graphics::Sixel(_) => Data::Sixel(sixel::encode(&raster)),
            _ => return None,
        };
        Some((Arc::new(data), covered))
    }
}

/// The cells of the area.
fn cells(wanted: &Wanted<'_>, data: &Data, (columns, lines): (u16, u16), serial: u32) -> Buffer {
    let area = wanted.area;
    let mut cells = Buffer::empty(area);
    cells.set_style(area, wanted.ground);
    let label = label_of(wanted, data);
    for y in 0..lines {
        let mut follows = false;
        for x in 0..columns {
            let Some(cell) = cells.cell_mut((area.x + x, area.y + y)) else { continue };
            match data {
                Data::Kitty(id) => {
                    let place = (!follows).then_some((x, y));
                    cell.set_symbol(&kitty::placeholder(place)).set_fg(id.colour()).set_diff_option(ONE_CELL);
                }
                Data::Sixel(sixels) if (x, y) == (0, 0) => {
                    cell.set_symbol(&painting(sixels, columns, lines, serial)).set_diff_option(ONE_CELL);
                }
                Data::Sixel(_) => _ = cell.set_diff_option(CellDiffOption::Skip),
            }
            follows = !label.as_ref().is_some_and(|label| label.covers((x, y)));
        }
    }
    if let Some(label) = label {
        for (x, sign) in (label.place.0..area.width).zip(label.text.chars()) {
            if let Some(cell) = cells.cell_mut((area.x + x, area.y + label.place.1)) {
                cell.reset();
                cell.set_char(sign).set_style(label.style);
            }
        }
    }
    cells
}

impl Label {
    fn covers(&self, (x, y): (u16, u16)) -> bool {
        let end = usize::from(self.place.0) + self.text.chars().count();
        y == self.place.1 && x >= self.place.0 && usize::from(x) < end
    }
}

/// The label beside the cell that has the sixels.
fn label_of(wanted: &Wanted<'_>, data: &Data) -> Option<Label> {
    let mut label = wanted.label.clone()?;
    if matches!(data, Data::Sixel(_)) && label.place == (0, 0) {
        label.place.0 = 1;
    }
    Some(label)
}

/// Empties the cells and paints the sixels; the cursor is behind the first cell then. A text of another serial number is
/// another one, so that it is written again.
fn painting(sixels: &str, columns: u16, lines: u16, serial: u32) -> String {
    let mut out = "\x1b7".to_owned();
    for _ in 0..lines {
        let _ = write!(out, "\x1b[{columns}X\x1b[B");
    }
    let again = if serial.is_multiple_of(2) { "" } else { "\x1b8" };
    let _ = write!(out, "\x1b8{sixels}\x1b8{again}\x1b[C");
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::theme::{Role, Theme};
    use model::{ArraySection, Double, Reduction};

    const AREA: Rect = Rect { x: 3, y: 2, width: 12, height: 4 };

    fn picture(levels: &[u16]) -> ArrayPicture {
        ArrayPicture {
            section: ArraySection::default(),
            height: 2,
            width: levels.len() as u32 / 2,
            reductions: vec![Reduction::Mean],
            range: Some((Double::new(0.0), Double::new(1.0))),
            levels: levels.iter().flat_map(|level| level.to_be_bytes()).collect(),
        }
    }

    fn wanted(picture: &ArrayPicture, label: Option<(u16, u16)>) -> Wanted<'_> {
        let theme = Theme::dark();
        let style = theme.style(Role::Cursor);
        Wanted {
            picture,
            area: AREA,
            palette: Palette::of(&theme).unwrap(),
            ground: theme.style(Role::Text),
            label: label.map(|place| Label { place, text: "12".into(), style }),
        }
    }

    fn pixels(graphics: fn(CellSize) -> Graphics) -> Pixels {
        Pixels { graphics: graphics(CellSize::USUAL), ..Pixels::default() }
    }

    /// What ratatui writes of the second frame after the first.
    fn updates(before: &Buffer, after: &Buffer) -> Vec<(u16, u16)> {
        before.diff(after).into_iter().map(|(x, y, _)| (x, y)).collect()
    }

    #[test]
    fn a_picture_that_has_not_changed_is_not_sent_again() {
        let (one, other) = (picture(&[0, 9, 9, 0]), picture(&[0, 9, 9, 9]));
        let mut kitty = pixels(Graphics::Kitty);
        let first = kitty.prepare(Some(&wanted(&one, None)));
        assert!(first.starts_with("\x1b_Ga=T,U=1,f=100,q=2,i=7498497,c=8,r=4,m=0;"), "{first}");
        let cells = kitty.cells().unwrap().clone();
        assert_eq!((kitty.prepare(Some(&wanted(&one, None))), kitty.cells()), (String::new(), Some(&cells)));
        let second = kitty.prepare(Some(&wanted(&other, None)));
        assert!(second.starts_with("\x1b_Ga=T") && second.ends_with("\x1b_Ga=d,d=I,i=7498497,q=2\x1b\\"), "{second}");
        assert_eq!(updates(&cells, kitty.cells().unwrap()).len(), 32, "another number, so another colour");
        assert_eq!(kitty.prepare(None), "\x1b_Ga=d,d=I,i=7498498,q=2\x1b\\");
        assert_eq!((kitty.prepare(None), kitty.cells()), (String::new(), None));
    }

    #[test]
    fn sixels_are_written_again_only_with_a_change() {
        let one = picture(&[0, 9, 9, 0]);
        let mut sixel = pixels(Graphics::Sixel);
        assert_eq!(sixel.prepare(Some(&wanted(&one, None))), "");
        let cells = sixel.cells().unwrap().clone();
        sixel.prepare(Some(&wanted(&one, None)));
        assert_eq!(updates(&cells, sixel.cells().unwrap()), []);
        let text = Buffer::with_lines(["some words  "; 6].map(|words| format!("   {words}")));
        let over = |cells: &Buffer| {
            let mut frame = text.clone();
            frame.merge(cells);
            frame
        };
        let (covered, bare) = (over(&cells), text.clone());
        assert!(updates(&bare, &covered).contains(&(3, 2)) && updates(&covered, &bare).len() >= 32, "words over it");
        // The rank's name has moved: its old place is painted over.
        sixel.prepare(Some(&wanted(&one, Some((4, 1)))));
        let labelled = sixel.cells().unwrap().clone();
        assert_eq!(updates(&cells, &labelled), [(3, 2), (7, 3), (8, 3)]);
        sixel.prepare(Some(&wanted(&one, None)));
        assert_eq!(updates(&labelled, sixel.cells().unwrap()), [(3, 2)]);
    }

    #[test]
    fn a_label_covers_cells_and_the_picture_goes_on_behind_it() {
        let one = picture(&[0, 9, 9, 0]);
        let mut kitty = pixels(Graphics::Kitty);
        assert!(kitty.prepare(Some(&wanted(&one, Some((2, 1))))).len() > 100);
        let cells = kitty.cells().unwrap();
        let row: Vec<&str> = (0..8).map(|x| cells[(AREA.x + x, AREA.y + 1)].symbol()).collect();
        let bare = "\u{10EEEE}";
        let at = |x| kitty::placeholder(Some((x, 1)));
        assert_eq!(row, [at(0).as_str(), bare, "1", "2", &at(4), bare, bare, bare]);
        assert_eq!(kitty.prepare(Some(&wanted(&one, Some((6, 0))))), "", "the picture stays in the terminal");
        // The first cell has the sixels.
        let mut sixel = pixels(Graphics::Sixel);
        sixel.prepare(Some(&wanted(&one, Some((0, 0)))));
        let cells = sixel.cells().unwrap();
        assert!(cells[(AREA.x, AREA.y)].symbol().contains("\x1bP0;1;0q\"1;1;64;64#0;2;"));
        assert_eq!((cells[(AREA.x + 1, AREA.y)].symbol(), cells[(AREA.x + 2, AREA.y)].symbol()), ("1", "2"));
    }

    #[test]
    fn what_the_terminal_lost_is_sent_again() {
        let one = picture(&[0, 9, 9, 0]);
        let mut kitty = pixels(Graphics::Kitty);
        let first = kitty.prepare(Some(&wanted(&one, None)));
        kitty.forget();
        assert_eq!(kitty.prepare(Some(&wanted(&one, None))), first);
        let mut blocks = Pixels::default();
        assert_eq!((blocks.prepare(Some(&wanted(&one, None))), blocks.cells()), (String::new(), None));
    }
}
