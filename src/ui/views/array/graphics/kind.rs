//! The terminal's way to show pictures.

/// The size of a cell of the terminal in pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CellSize {
    width: u16,
    height: u16,
}

impl CellSize {
    /// Where the terminal does not say it.
    pub const USUAL: Self = Self { width: 8, height: 16 };
    /// No cell is wider or higher.
    const MOST: u32 = 64;

    /// A size as the terminal says it; `None` if no cell has this size.
    pub fn new(width: u32, height: u32) -> Option<Self> {
        let side = |side: u32| u16::try_from(side).ok().filter(|_| (1..=Self::MOST).contains(&side));
        Some(Self { width: side(width)?, height: side(height)? })
    }

    /// Its pixels across and down.
    pub(crate) fn pixels(self) -> (u32, u32) {
        (self.width.into(), self.height.into())
    }
}

/// The terminal's way to show pictures.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Graphics {
    /// With characters.
    #[default]
    Blocks,
    /// The terminal is asked before the first picture.
    Unasked,
    /// As sixels (DEC).
    Sixel(CellSize),
    /// In the protocol of kitty, with Unicode placeholders.
    Kitty(CellSize),
}

impl Graphics {
    /// The most pixels of a picture that ranks are asked for, of two bytes each, so that it is no more than 100 kB: what
    /// is larger is drawn in larger squares.
    pub(crate) const MOST_ASKED: u32 = 49_000;

    pub(crate) fn cell(self) -> Option<CellSize> {
        match self {
            Self::Sixel(cell) | Self::Kitty(cell) => Some(cell),
            Self::Blocks | Self::Unasked => None,
        }
    }

    /// The dots in a cell, across and down: pixels, or half blocks.
    pub(crate) fn dots(self) -> (u32, u32) {
        self.cell().map_or((1, 2), CellSize::pixels)
    }

    /// The most rows and columns of a picture for so many lines and columns of the terminal.
    pub(crate) fn rows_and_columns(self, lines: u16, width: u16) -> (u32, u32) {
        let (across, down) = self.dots();
        let (height, width) = (down * u32::from(lines.max(1)), across * u32::from(width.max(1)));
        let fits = |side: &u32| (height / side).max(1).saturating_mul((width / side).max(1)) <= Self::MOST_ASKED;
        let side = (1..=height.max(width)).find(fits).unwrap_or(1);
        ((height / side).max(1), (width / side).max(1))
    }

    /// The most columns of the picture of a line, which has two planes of them.
    pub(crate) fn columns_of_line(self, width: u16) -> u32 {
        let across = self.cell().map_or(2, |cell| cell.pixels().0);
        (across * u32::from(width.max(1))).min(Self::MOST_ASKED / 2)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_picture_asks_for_no_more_than_100_kilobytes() {
        for (width, height) in [(1, 1), (8, 16), (10, 20), (64, 64)] {
            let kitty = Graphics::Kitty(CellSize::new(width, height).unwrap());
            for (lines, columns) in [(1, 1), (20, 80), (200, 300), (1, u16::MAX), (u16::MAX, 1), (u16::MAX, u16::MAX)] {
                let (rows, across) = kitty.rows_and_columns(lines, columns);
                assert!(rows >= 1 && across >= 1 && rows * across * 2 <= 98_000, "{rows} x {across}");
                assert!(kitty.columns_of_line(columns) * 4 <= 98_000);
            }
        }
        let usual = Graphics::Sixel(CellSize::USUAL);
        assert_eq!(usual.rows_and_columns(10, 30), (160, 240), "one for each pixel if there are few");
        assert_eq!(usual.rows_and_columns(40, 160), (128, 256), "squares of five pixels");
        assert_eq!((Graphics::Blocks.rows_and_columns(40, 160), usual.columns_of_line(80)), ((80, 160), 640));
    }

    #[test]
    fn no_cell_is_larger_than_64_pixels() {
        assert_eq!(CellSize::new(64, 64).map(CellSize::pixels), Some((64, 64)));
        for (width, height) in [(0, 16), (8, 0), (65, 16), (8, 65), (u32::MAX, u32::MAX), (65_536 + 8, 16)] {
            assert_eq!(CellSize::new(width, height), None);
        }
    }
}
