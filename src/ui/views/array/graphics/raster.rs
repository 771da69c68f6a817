//! The picture of an array as pixels of the terminal, in the colours of the theme.

use super::super::{heat_map, line_plot};
use super::kind::CellSize;
use crate::theme::{Role, Theme};
use model::{ArrayPicture, Pixel};
use ratatui::layout::Rect;
use ratatui::style::Color;

/// A colour: red, green, blue.
pub(super) type Rgb = [u8; 3];

/// The number of a pixel that shows the background.
pub(super) const CLEAR: u8 = 0;
/// The number of the colour of what is not finite.
const ODD: u8 = 1;
/// The number of the first colour of numbers; a line has only this.
const FIRST: u8 = 2;

/// The colours of pictures, from a theme whose colours are known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Palette {
    heat: Vec<Rgb>,
    odd: Rgb,
    line: Rgb,
    line_odd: Rgb,
}

impl Palette {
    /// `None` if the terminal chooses a colour, or has none.
    pub(crate) fn of(theme: &Theme) -> Option<Self> {
        let heat: Option<Vec<Rgb>> = theme.ramp().iter().map(|colour| rgb(*colour)).collect();
        let front = |role: Role| theme.style(role).fg.and_then(rgb);
        let heat = heat.filter(|heat| (1..=usize::from(u8::MAX - FIRST)).contains(&heat.len()))?;
        Some(Self { heat, odd: front(Role::HeatOdd)?, line: front(Role::Plot)?, line_odd: front(Role::Error)? })
    }
}

/// The parts of a colour that is the same in every terminal.
fn rgb(colour: Color) -> Option<Rgb> {
    match colour {
        Color::Rgb(red, green, blue) => Some([red, green, blue]),
        // The cube and the greys of xterm's 256 colours.
        Color::Indexed(number @ 16..=231) => {
            let part = |part: u8| if part == 0 { 0 } else { 55 + 40 * part };
            let number = number - 16;
            Some([part(number / 36), part(number / 6 % 6), part(number % 6)])
        }
        Color::Indexed(number @ 232..) => Some([8 + 10 * (number - 232); 3]),
        _ => None,
    }
}

/// Pixels, each the number of its colour.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Raster {
    pub(super) width: usize,
    pub(super) height: usize,
    /// Row by row.
    pub(super) pixels: Vec<u8>,
    /// The colour of each number from 1 on.
    pub(super) colours: Vec<Rgb>,
}

/// The most pixels of a raster, as of a large screen: of more, no picture is made.
const MOST: usize = 1 << 24;

impl Raster {
    /// Draws a picture for this area; it has whole cells. `None`: it has no pixel, or too many.
    pub(super) fn of(picture: &ArrayPicture, area: Rect, cell: CellSize, palette: &Palette) -> Option<Self> {
        let (across, down) = cell.pixels();
        let (wide, tall) = (across * u32::from(area.width), down * u32::from(area.height));
        if picture.width == 0
            || picture.height == 0
            || wide == 0
            || tall == 0
            || wide.saturating_mul(tall) as usize > MOST
        {
            return None;
        }
        let is_line = picture.reductions.len() > 1;
        let size = heat_map::size(area, (picture.height, picture.width), (across, down));
        let (drawn_wide, drawn_tall) =
            if is_line { (wide, tall) } else { (wide.min(picture.width * size), tall.min(picture.height * size)) };
        let whole = |pixels: u32, cell: u32| (pixels.div_ceil(cell) * cell) as usize;
        let (width, height) = (whole(drawn_wide, across), whole(drawn_tall, down));
        let pixels = vec![CLEAR; width * height];
        let mut raster = Self { width, height, pixels, colours: Vec::new() };
        if is_line {
            raster.colours = vec![palette.line_odd, palette.line];
            raster.line(picture, down);
        } else {
            raster.colours = [&[palette.odd], palette.heat.as_slice()].concat();
            raster.heat(picture, size, (drawn_wide, drawn_tall), palette.heat.len());
        }
        Some(raster)
    }

    fn heat(&mut self, picture: &ArrayPicture, size: u32, (wide, tall): (u32, u32), steps: usize) {
        let number = |pixel: Pixel| match pixel {
            Pixel::Level(level) => FIRST + Theme::step(level, steps) as u8,
            Pixel::NotANumber | Pixel::Infinite => ODD,
            Pixel::Missing => CLEAR,
        };
        for (y, row) in self.pixels.chunks_exact_mut(self.width).enumerate().take(tall as usize) {
            for (x, shown) in row.iter_mut().enumerate().take(wide as usize) {
                let pixel = picture.pixel(0, y as u32 / size, x as u32 / size);
                *shown = pixel.map_or(CLEAR, number);
            }
        }
    }

    /// `down`: the rows at the bottom that mark what is not finite.
    fn line(&mut self, picture: &ArrayPicture, down: u32) {
        let (width, height) = (self.width as u32, self.height as u32);
        for (x, column) in line_plot::ranges(picture, width, height).into_iter().enumerate() {
            let mut fill = |from: u32, until: u32, number: u8| {
                for y in from..until.min(height) {
                    if let Some(pixel) = self.pixels.get_mut(y as usize * width as usize + x) {
                        *pixel = number;
                    }
                }
            };
            if let Some((top, bottom)) = column.rows {
                fill(top, bottom + 1, FIRST);
            }
            if column.odd.is_some() {
                fill(height.saturating_sub(down), height, ODD);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use model::{ArraySection, Double, Reduction};

    fn picture(width: u32, levels: &[u16], reductions: Vec<Reduction>) -> ArrayPicture {
        let planes = reductions.len() as u32;
        ArrayPicture {
            section: ArraySection::default(),
            height: levels.len() as u32 / width / planes,
            width,
            reductions,
            range: Some((Double::new(0.0), Double::new(1.0))),
            levels: levels.iter().flat_map(|level| level.to_be_bytes()).collect(),
        }
    }

    fn made(picture: &ArrayPicture, area: Rect, (width, height): (u32, u32)) -> Raster {
        let palette = Palette::of(&Theme::dark()).unwrap();
        Raster::of(picture, area, CellSize::new(width, height).unwrap(), &palette).unwrap()
    }

    #[test]
    fn elements_are_squares_in_the_colours_of_the_theme() {
        let levels = [0, ArrayPicture::HIGHEST, ArrayPicture::NAN, ArrayPicture::MISSING];
        let raster = made(&picture(2, &levels, vec![Reduction::Mean]), Rect::new(3, 4, 3, 2), (2, 4));
        // Three columns of two pixels: squares of three, in whole cells.
        assert_eq!((raster.width, raster.height), (6, 8));
        let theme = Theme::dark();
        let shown = |x: usize, y: usize| match raster.pixels[y * raster.width + x] {
            CLEAR => None,
            number => Some(raster.colours[usize::from(number) - 1]),
        };
        assert_eq!(shown(0, 0), theme.heat(0.0).and_then(rgb));
        assert_eq!((shown(2, 2), shown(5, 2)), (shown(0, 0), theme.heat(1.0).and_then(rgb)));
        assert_eq!((shown(2, 3), shown(3, 3)), (theme.style(Role::HeatOdd).fg.and_then(rgb), None));
        assert_eq!(shown(0, 6), None, "below the picture");
        assert_ne!((shown(0, 0), shown(2, 3)), (shown(5, 2), shown(0, 0)));
    }

    #[test]
    fn a_line_has_a_pixel_in_each_column() {
        let top = ArrayPicture::HIGHEST;
        let levels = [0, top, ArrayPicture::NAN, 0, top, ArrayPicture::NAN];
        let raster =
            made(&picture(3, &levels, vec![Reduction::Minimum, Reduction::Maximum]), Rect::new(0, 0, 3, 5), (1, 2));
        let column = |x: usize| raster.pixels.iter().skip(x).step_by(3).copied().collect::<Vec<u8>>();
        assert_eq!((raster.width, raster.height, column(0)), (3, 10, [&[CLEAR; 9][..], &[FIRST]].concat()));
        assert_eq!(column(1), [&[FIRST; 9][..], &[CLEAR]].concat());
        assert_eq!(column(2), [&[CLEAR; 8][..], &[ODD; 2]].concat());
    }

    #[test]
    fn a_terminal_that_chooses_its_colours_has_no_palette() {
        let (theme, _) = crate::theme::ThemeSearch::default().load("ansi16");
        assert_eq!(Palette::of(&theme), None);
        assert_eq!(Palette::of(&Theme::dark().adapted(crate::theme::ColourDepth::None)), None);
        assert_eq!(
            [rgb(Color::Indexed(16)), rgb(Color::Indexed(208)), rgb(Color::Indexed(255))],
            [Some([0, 0, 0]), Some([255, 135, 0]), Some([238; 3])]
        );
    }

    #[test]
    fn a_huge_screen_has_no_picture() {
        let one = picture(1, &[0], vec![Reduction::Mean]);
        let palette = Palette::of(&Theme::dark()).unwrap();
        let cell = CellSize::new(64, 64).unwrap();
        assert_eq!(Raster::of(&one, Rect::new(0, 0, 200, 100), cell, &palette), None);
        assert_eq!(Raster::of(&one, Rect::new(0, 0, 1000, 1000), cell, &palette), None);
        assert_eq!(Raster::of(&one, Rect::default(), cell, &palette), None);
    }
}
