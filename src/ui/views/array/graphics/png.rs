//! PNG with a palette (RFC 2083): the smallest form in which kitty takes a picture.

use super::raster::Raster;
use flate2::{Compression, Crc, write::ZlibEncoder};
use std::io::Write;

const SIGNATURE: &[u8] = b"\x89PNG\r\n\x1a\n";
/// Eight bits for each pixel, with a palette.
const KIND: [u8; 5] = [8, 3, 0, 0, 0];
/// The filter of a row that has the differences from the row above: 0 in all rows of a square but the first.
const UP: u8 = 2;

/// Encodes a picture; pixels without a colour are transparent.
pub(super) fn encode(raster: &Raster) -> Vec<u8> {
    let mut out = SIGNATURE.to_vec();
    let size = [raster.width as u32, raster.height as u32].map(u32::to_be_bytes).concat();
    chunk(&mut out, *b"IHDR", &[size.as_slice(), &KIND].concat());
    let palette: Vec<u8> = std::iter::once(&[0; 3]).chain(&raster.colours).flatten().copied().collect();
    chunk(&mut out, *b"PLTE", &palette);
    chunk(&mut out, *b"tRNS", &[0]);
    let mut rows = Vec::new();
    let mut above = vec![0; raster.width];
    for row in raster.pixels.chunks(raster.width.max(1)) {
        rows.push(UP);
        rows.extend(row.iter().zip(&above).map(|(now, above)| now.wrapping_sub(*above)));
        above.copy_from_slice(row);
    }
    let mut packed = ZlibEncoder::new(Vec::new(), Compression::default());
    // Nothing fails in memory.
    let packed = packed.write_all(&rows).and_then(|()| packed.finish()).unwrap_or_default();
    chunk(&mut out, *b"IDAT", &packed);
    chunk(&mut out, *b"IEND", &[]);
    out
}

fn chunk(out: &mut Vec<u8>, kind: [u8; 4], data: &[u8]) {
    let mut sum = Crc::new();
    sum.update(&kind);
    sum.update(data);
    out.extend_from_slice(&(data.len() as u32).to_be_bytes());
    out.extend_from_slice(&kind);
    out.extend_from_slice(data);
    out.extend_from_slice(&sum.sum().to_be_bytes());
}
