//! Sixels (DEC's "VT330/VT340 Programmer Reference Manual", chapter 14): bands of six rows, one after the other for
//! each colour.

use super::raster::{CLEAR, Raster};
use std::fmt::Write;

/// The rows of a band.
const BAND: usize = 6;
/// The character of a column without a pixel.
const BLANK: u8 = b'?';
/// Shorter runs are written out.
const SHORTEST_RUN: usize = 4;

/// Encodes a picture; pixels without a colour are not painted.
pub(super) fn encode(raster: &Raster) -> String {
    let mut out = format!("\x1bP0;1;0q\"1;1;{};{}", raster.width, raster.height);
    for (number, colour) in raster.colours.iter().enumerate() {
        let [red, green, blue] = colour.map(|part| (u32::from(part) * 100 + 127) / 255);
        let _ = write!(out, "#{number};2;{red};{green};{blue}");
    }
    for band in raster.pixels.chunks(BAND * raster.width.max(1)) {
        let mut columns = vec![vec![]; raster.colours.len()];
        for (y, row) in band.chunks(raster.width.max(1)).enumerate() {
            for (x, number) in row.iter().enumerate().filter(|(_, number)| **number != CLEAR) {
                if let Some(columns) = columns.get_mut(usize::from(*number) - 1) {
                    columns.resize(raster.width, 0_u8);
                    columns.get_mut(x).into_iter().for_each(|bits| *bits |= 1 << y);
                }
            }
        }
        let mut is_first = true;
        for (number, columns) in columns.iter().enumerate().filter(|(_, columns)| !columns.is_empty()) {
            if !std::mem::take(&mut is_first) {
                out.push('$');
            }
            let _ = write!(out, "#{number}");
            runs(&mut out, columns);
        }
        out.push('-');
    }
    out.push_str("\x1b\\");
    out
}

/// Writes the columns of a band in one colour, without blank ones at the end.
fn runs(out: &mut String, columns: &[u8]) {
    let end = columns.iter().rposition(|bits| *bits != 0).map_or(0, |last| last + 1);
    for run in columns.get(..end).unwrap_or_default().chunk_by(|a, b| a == b) {
        let Some(bits) = run.first() else { continue };
        let sign = char::from(BLANK + bits);
        if run.len() < SHORTEST_RUN {
            out.extend(std::iter::repeat_n(sign, run.len()));
        } else {
            let _ = write!(out, "!{}{sign}", run.len());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Paints sixels as a terminal does.
    fn painted(text: &str) -> (usize, usize, Vec<u8>) {
        let body = text.strip_prefix("\x1bP0;1;0q").and_then(|body| body.strip_suffix("\x1b\\")).unwrap();
        let mut rest = body;
        let number = |rest: &mut &str| {
            let end = rest.find(|sign: char| !sign.is_ascii_digit()).unwrap_or(rest.len());
            let number = rest[..end].parse::<usize>().unwrap();
            *rest = &rest[end..];
            number
        };
        let (mut width, mut height, mut colour, mut x, mut y) = (0, 0, 0, 0, 0);
        let mut pixels = Vec::new();
        while let Some(sign) = rest.chars().next() {
            rest = &rest[1..];
            let (mut count, mut bits) = (1, None);
            match sign {
                '"' => {
                    let parts: Vec<usize> = (0..4)
                        .map(|at| {
                            rest = if at == 0 { rest } else { &rest[1..] };
                            number(&mut rest)
                        })
                        .collect();
                    (width, height) = (parts[2], parts[3]);
                    pixels = vec![0; width * height];
                }
                '#' => {
                    colour = number(&mut rest);
                    while rest.starts_with(';') {
                        rest = &rest[1..];
                        assert!(number(&mut rest) <= 100);
                    }
                }
                '!' => {
                    count = number(&mut rest);
                    bits = rest.bytes().next().map(|sign| sign - b'?');
                    rest = &rest[1..];
                }
                '$' => x = 0,
                '-' => (x, y) = (0, y + 6),
                sign => bits = Some(sign as u8 - b'?'),
            }
            for _ in 0..bits.map_or(0, |_| count) {
                for part in (0..6).filter(|part| bits.unwrap() & (1 << part) != 0) {
                    pixels[(y + part) * width + x] = colour as u8 + 1;
                }
                x += 1;
            }
        }
        (width, height, pixels)
    }

    proptest! {
        #[test]
        fn a_terminal_paints_what_was_encoded(
            width in 1_usize..40, height in 1_usize..30, some in proptest::collection::vec(0_u8..5, 1..90),
            run in 1_usize..9,
        ) {
            let pixels: Vec<u8> = (0..width * height).map(|at| some[at / run % some.len()]).collect();
            let colours = vec![[0, 0, 0], [255, 255, 255], [1, 128, 254], [9, 9, 9]];
            let raster = Raster { width, height, pixels, colours };
            prop_assert_eq!(painted(&encode(&raster)), (width, height, raster.pixels));
        }
    }

    #[test]
    fn runs_are_counted() {
        let raster = Raster { width: 9, height: 2, pixels: [[1; 9], [0; 9]].concat(), colours: vec![[255, 0, 51]] };
        assert_eq!(encode(&raster), "\x1bP0;1;0q\"1;1;9;2#0;2;100;0;20#0!9@-\x1b\\");
    }
}
