//! The picture of a section in two dimensions: two pixels in each cell of the terminal, or one without colours.

use super::graphics::kind::Graphics;
use crate::screen::Pen;
use crate::theme::Role;
use model::{ArrayPicture, Pixel};
use ratatui::layout::Rect;
use ratatui::style::Style;

/// Few pixels are shown larger, but not larger than this.
const LARGEST: u32 = 8;
/// The sign of pixels of which nothing is known.
const MISSING: char = '?';
/// Shades from the lowest to the highest.
const SHADES: [char; 5] = [' ', '░', '▒', '▓', '█'];
/// The same in ASCII.
const LETTERS: [char; 10] = [' ', '.', ':', '-', '=', '+', '*', '#', '%', '@'];

/// The shade of a place in the range.
pub(super) fn shade(level: f64, ascii: bool) -> char {
    let shades: &[char] = if ascii { &LETTERS } else { &SHADES };
    let at = (level * shades.len() as f64) as usize;
    shades.get(at.min(shades.len() - 1)).copied().unwrap_or(' ')
}

/// The sign of a pixel without colours that is no number in the range.
fn odd_sign(pixel: Pixel) -> Option<char> {
    match pixel {
        Pixel::NotANumber => Some('N'),
        Pixel::Infinite => Some('I'),
        Pixel::Level(_) | Pixel::Missing => None,
    }
}

/// The dots of the terminal, down and across, for a pixel of a picture of this size. A cell has so many across and down:
/// two half blocks, or pixels.
pub(super) fn size(area: Rect, (height, width): (u32, u32), (across, down): (u32, u32)) -> u32 {
    let (columns, rows) = (across * u32::from(area.width), down * u32::from(area.height));
    (columns / width.max(1)).min(rows / height.max(1)).clamp(1, LARGEST * across)
}

/// The pixels of a picture, down and across, of which one is shown: of one made for smaller dots, there is no room for
/// all.
pub(super) fn stride(area: Rect, (height, width): (u32, u32), (across, down): (u32, u32)) -> u32 {
    let (columns, rows) = (across * u32::from(area.width), down * u32::from(area.height));
    width.div_ceil(columns.max(1)).max(height.div_ceil(rows.max(1))).max(1)
}

pub(super) fn draw(pen: &mut Pen<'_>, area: Rect, picture: &ArrayPicture) {
    if picture.height == 0 || picture.width == 0 {
        pen.row(area, 0).put(" ", Role::Text).put("the array has no elements", Role::Dim);
        return;
    }
    let (extent, dots) = ((picture.height, picture.width), Graphics::Blocks.dots());
    let (size, stride) = (size(area, extent, dots), stride(area, extent, dots));
    let pixel = |row: u32, column: u32| picture.pixel(0, row / size * stride, column / size * stride);
    let columns = u32::from(area.width).min(picture.width.div_ceil(stride) * size);
    let has_colours = pen.theme.has_colours();
    let ascii = pen.glyphs.cut.is_ascii();
    for line in 0..area.height {
        let mut text = pen.row(area, line);
        for x in 0..columns {
            let (upper, lower) = (pixel(2 * u32::from(line), x), pixel(2 * u32::from(line) + 1, x));
            let Some(first) = upper else { break };
            if has_colours {
                let colour = |pixel: Pixel| match pixel {
                    Pixel::Level(level) => text.pen.theme.heat(level),
                    Pixel::NotANumber | Pixel::Infinite => text.pen.style(Role::HeatOdd).fg,
                    Pixel::Missing => text.pen.style(Role::Text).bg,
                };
                let both = [Some(first), lower];
                if both.iter().flatten().all(|pixel| *pixel == Pixel::Missing) {
                    // Told from the lowest colour.
                    text.sign(MISSING, Role::Dim);
                    continue;
                }
                let mut style = text.pen.style(Role::Text);
                style.fg = colour(first);
                style.bg = lower.map_or(style.bg, colour);
                if ascii {
                    let style = Style { bg: style.fg, ..style };
                    text.styled(" ", style);
                } else {
                    text.styled("▀", style);
                }
                continue;
            }
            let both = [Some(first), lower].into_iter().flatten();
            if let Some(sign) = both.clone().find_map(odd_sign) {
                text.sign(sign, Role::HeatOdd);
                continue;
            }
            let levels: Vec<f64> = both.filter_map(level).collect();
            if levels.is_empty() {
                text.sign(MISSING, Role::Dim);
                continue;
            }
            let mean = levels.iter().sum::<f64>() / levels.len().max(1) as f64;
            text.sign(shade(mean, ascii), Role::Text);
        }
    }
}

fn level(pixel: Pixel) -> Option<f64> {
    match pixel {
        Pixel::Level(level) => Some(level),
        Pixel::NotANumber | Pixel::Infinite | Pixel::Missing => None,
    }
}
