//! The graphics protocol of kitty (<https://sw.kovidgoyal.net/kitty/graphics-protocol/>): the picture is sent once, and
//! is visible where cells have placeholders for it.

use super::png;
use super::raster::Raster;
use ratatui::style::Color;
use std::fmt::Write;

/// A piece of the data, in characters.
const PIECE: usize = 4096;
const PLACEHOLDER: char = '\u{10EEEE}';
/// The most cells of a picture across and down: there are 297 signs for rows and columns, and the rest of a larger pane has no
/// placeholders.
pub(super) const MOST_CELLS: u16 = SIGNS.len() as u16;

/// The numbers of the pictures: one is made while the other one is on the screen.
const NUMBERS: [u32; 2] = [0x72_6b_01, 0x72_6b_02];

/// A picture by its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Id(u32);

impl Id {
    pub(super) const FIRST: Self = Self(NUMBERS[0]);

    /// The number that is free while this one is in use.
    pub(super) fn other(self) -> Self {
        let [first, second] = NUMBERS;
        Self(if self.0 == first { second } else { first })
    }

    /// The colour of its placeholders.
    pub(super) fn colour(self) -> Color {
        let [_, red, green, blue] = self.0.to_be_bytes();
        Color::Rgb(red, green, blue)
    }

    /// Deletes it in the terminal.
    pub(super) fn deletion(self) -> String {
        format!("\x1b_Ga=d,d=I,i={},q=2\x1b\\", self.0)
    }
}

/// Deletes every picture in the terminal.
pub fn farewell() -> String {
    NUMBERS.map(|number| Id(number).deletion()).concat()
}

/// Sends a picture, which becomes visible where its placeholders are.
pub(super) fn transmission(raster: &Raster, id: Id, (columns, lines): (u16, u16)) -> String {
    let data = base64(&png::encode(raster));
    let mut out = String::with_capacity(data.len() + data.len() / PIECE * 16 + 64);
    let mut rest = data.as_str();
    let mut is_first = true;
    while is_first || !rest.is_empty() {
        let (piece, after) = rest.split_at(rest.len().min(PIECE));
        rest = after;
        out.push_str("\x1b_G");
        if std::mem::take(&mut is_first) {
            let _ = write!(out, "a=T,U=1,f=100,q=2,i={},c={columns},r={lines},", id.0);
        }
        let _ = write!(out, "m={};{piece}\x1b\\", u8::from(!rest.is_empty()));
    }
    out
}

/// The placeholder of a cell; without its place it continues that of the cell to its left.
pub(super) fn placeholder(place: Option<(u16, u16)>) -> String {
    let signs = place.and_then(|(x, y)| {
        let sign = |number: u16| SIGNS.get(usize::from(number)).and_then(|code| char::from_u32(*code));
        Some([sign(y)?, sign(x)?])
    });
    std::iter::once(PLACEHOLDER).chain(signs.into_iter().flatten()).collect()
}

fn base64(bytes: &[u8]) -> String {
    const SIGNS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for part in bytes.chunks(3) {
        let mut number = 0;
        for at in 0..3 {
            number = number << 8 | u32::from(part.get(at).copied().unwrap_or(0));
        }
        for at in 0..4 {
            let sign = SIGNS.get((number >> (18 - 6 * at) & 63) as usize).copied().unwrap_or(b'=');
            out.push(if at <= part.len() { char::from(sign) } else { '=' });
        }
    }
    out
}

/// The combining characters that number rows and columns (kitty's `rowcolumn-diacritics.txt`).
#[rustfmt::skip]
const SIGNS: [u32; 297] = [
    0x305, 0x30d, 0x30e, 0x310, 0x312, 0x33d, 0x33e, 0x33f, 0x346, 0x34a, 0x34b, 0x34c, 0x350, 0x351, 0x352, 0x357,
    0x35b, 0x363, 0x364, 0x365, 0x366, 0x367, 0x368, 0x369, 0x36a, 0x36b, 0x36c, 0x36d, 0x36e, 0x36f, 0x483, 0x484,
    0x485, 0x486, 0x487, 0x592, 0x593, 0x594, 0x595, 0x597, 0x598, 0x599, 0x59c, 0x59d, 0x59e, 0x59f, 0x5a0, 0x5a1,
    0x5a8, 0x5a9, 0x5ab, 0x5ac, 0x5af, 0x5c4, 0x610, 0x611, 0x612, 0x613, 0x614, 0x615, 0x616, 0x617, 0x657, 0x658,
    0x659, 0x65a, 0x65b, 0x65d, 0x65e, 0x6d6, 0x6d7, 0x6d8, 0x6d9, 0x6da, 0x6db, 0x6dc, 0x6df, 0x6e0, 0x6e1, 0x6e2,
    0x6e4, 0x6e7, 0x6e8, 0x6eb, 0x6ec, 0x730, 0x732, 0x733, 0x735, 0x736, 0x73a, 0x73d, 0x73f, 0x740, 0x741, 0x743,
    0x745, 0x747, 0x749, 0x74a, 0x7eb, 0x7ec, 0x7ed, 0x7ee, 0x7ef, 0x7f0, 0x7f1, 0x7f3, 0x816, 0x817, 0x818, 0x819,
    0x81b, 0x81c, 0x81d, 0x81e, 0x81f, 0x820, 0x821, 0x822, 0x823, 0x825, 0x826, 0x827, 0x829, 0x82a, 0x82b, 0x82c,
    0x82d, 0x951, 0x953, 0x954, 0xf82, 0xf83, 0xf86, 0xf87, 0x135d, 0x135e, 0x135f, 0x17dd, 0x193a, 0x1a17, 0x1a75,
    0x1a76, 0x1a77, 0x1a78, 0x1a79, 0x1a7a, 0x1a7b, 0x1a7c, 0x1b6b, 0x1b6d, 0x1b6e, 0x1b6f, 0x1b70, 0x1b71, 0x1b72,
    0x1b73, 0x1cd0, 0x1cd1, 0x1cd2, 0x1cda, 0x1cdb, 0x1ce0, 0x1dc0, 0x1dc1, 0x1dc3, 0x1dc4, 0x1dc5, 0x1dc6, 0x1dc7,
    0x1dc8, 0x1dc9, 0x1dcb, 0x1dcc, 0x1dd1, 0x1dd2, 0x1dd3, 0x1dd4, 0x1dd5, 0x1dd6, 0x1dd7, 0x1dd8, 0x1dd9, 0x1dda,
    0x1ddb, 0x1ddc, 0x1ddd, 0x1dde, 0x1ddf, 0x1de0, 0x1de1, 0x1de2, 0x1de3, 0x1de4, 0x1de5, 0x1de6, 0x1dfe, 0x20d0,
    0x20d1, 0x20d4, 0x20d5, 0x20d6, 0x20d7, 0x20db, 0x20dc, 0x20e1, 0x20e7, 0x20e9, 0x20f0, 0x2cef, 0x2cf0, 0x2cf1,
    0x2de0, 0x2de1, 0x2de2, 0x2de3, 0x2de4, 0x2de5, 0x2de6, 0x2de7, 0x2de8, 0x2de9, 0x2dea, 0x2deb, 0x2dec, 0x2ded,
    0x2dee, 0x2def, 0x2df0, 0x2df1, 0x2df2, 0x2df3, 0x2df4, 0x2df5, 0x2df6, 0x2df7, 0x2df8, 0x2df9, 0x2dfa, 0x2dfb,
    0x2dfc, 0x2dfd, 0x2dfe, 0x2dff, 0xa66f, 0xa67c, 0xa67d, 0xa6f0, 0xa6f1, 0xa8e0, 0xa8e1, 0xa8e2, 0xa8e3, 0xa8e4,
    0xa8e5, 0xa8e6, 0xa8e7, 0xa8e8, 0xa8e9, 0xa8ea, 0xa8eb, 0xa8ec, 0xa8ed, 0xa8ee, 0xa8ef, 0xa8f0, 0xa8f1, 0xaab0,
    0xaab2, 0xaab3, 0xaab7, 0xaab8, 0xaabe, 0xaabf, 0xaac1, 0xfe20, 0xfe21, 0xfe22, 0xfe23, 0xfe24, 0xfe25, 0xfe26,
    0x10a0f, 0x10a38, 0x1d185, 0x1d186, 0x1d187, 0x1d188, 0x1d189, 0x1d1aa, 0x1d1ab, 0x1d1ac, 0x1d1ad, 0x1d242, 0x1d243,
    0x1d244,
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn data_is_base64() {
        let coded = [&b""[..], b"f", b"fo", b"foo", b"foob", &[0xff, 0xfe, 0xfd]].map(base64);
        assert_eq!(coded, ["", "Zg==", "Zm8=", "Zm9v", "Zm9vYg==", "//79"]);
    }

    #[test]
    fn a_large_picture_is_sent_in_pieces() {
        let mut seed = 1_u32;
        let mut noise = || {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (seed >> 24) as u8 % 60
        };
        let pixels = (0..160 * 160).map(|_| noise()).collect();
        let raster = Raster { width: 160, height: 160, pixels, colours: vec![[1, 2, 3]; 60] };
        let text = transmission(&raster, Id::FIRST, (20, 10));
        let pieces: Vec<&str> = text.split_inclusive("\x1b\\").collect();
        assert!(pieces.len() > 2);
        let (first, last) = (pieces[0], pieces[pieces.len() - 1]);
        assert!(first.starts_with("\x1b_Ga=T,U=1,f=100,q=2,i=7498497,c=20,r=10,m=1;iVBORw0KGgo"), "{first:.80}");
        assert!(last.starts_with("\x1b_Gm=0;"));
        assert!(
            pieces[1..pieces.len() - 1].iter().all(|piece| piece.starts_with("\x1b_Gm=1;") && piece.len() == PIECE + 9)
        );
    }

    #[test]
    fn placeholders_name_their_row_and_column() {
        assert_eq!(placeholder(Some((1, 0))), "\u{10EEEE}\u{305}\u{30D}");
        assert_eq!((placeholder(None), placeholder(Some((297, 0)))), ("\u{10EEEE}".into(), "\u{10EEEE}".into()));
        assert_eq!(Id::FIRST.other().colour(), Color::Rgb(0x72, 0x6b, 2));
    }
}
