//! The symbols that distributions leave in stripped files, in `.gnu_debugdata`: an ELF file, compressed by xz(1).

use super::file::ElfFile;
use std::path::Path;

/// The limit on the unpacked size: a larger file was not stripped to be small.
const MOST_BYTES: usize = 256 << 20;

/// Returns the unpacked size of an xz(1) stream, from its chunk headers (The .xz File Format, 2 and 3; an LZMA2 chunk
/// has one byte for its type, then its sizes). `None` if it is not such a stream.
fn unpacked_size(packed: &[u8]) -> Option<usize> {
    let check = match packed.get(7)? & 0x0f {
        0 => 0,
        1 => 4,
        4 => 8,
        10 => 32,
        _ => return None,
    };
    let (mut at, mut total) = (12, 0_usize);
    loop {
        let header = match *packed.get(at)? {
            // The index follows the last block.
            0 => return Some(total),
            size => (usize::from(size) + 1) * 4,
        };
        at += header;
        let begin = at;
        loop {
            let short = |at: usize| Some(usize::from(u16::from_be_bytes(*packed.get(at..)?.first_chunk::<2>()?)));
            let control = *packed.get(at)?;
            match control {
                0 => break,
                1 | 2 => {
                    let size = short(at + 1)? + 1;
                    total = total.checked_add(size)?;
                    at += 3 + size;
                }
                3..0x80 => return None,
                _ => {
                    total = total.checked_add((usize::from(control & 0x1f) << 16) + short(at + 1)? + 1)?;
                    at += 5 + usize::from(control >= 0xc0) + short(at + 3)? + 1;
                }
            }
        }
        at += 1;
        at += (at - begin).wrapping_neg() % 4 + check;
    }
}

/// Unpacks the file embedded in `file`.
pub(crate) fn find(file: &ElfFile) -> Option<ElfFile> {
    let mut packed = file.section_data(".gnu_debugdata");
    if packed.is_empty() {
        return None;
    }
    let size = unpacked_size(packed).filter(|size| *size <= MOST_BYTES)?;
    let mut unpacked = Vec::with_capacity(size);
    lzma_rs::xz_decompress(&mut packed, &mut unpacked).ok()?;
    ElfFile::parse(Vec::leak(unpacked), Path::new(".gnu_debugdata")).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_those_of_what_is_packed() {
        for size in [0, 1, 70_000, 5 << 20] {
            let text: Vec<u8> = (0..size).map(|i: u32| (i.wrapping_mul(i) >> 3) as u8).collect();
            let mut packed = Vec::new();
            lzma_rs::xz_compress(&mut text.as_slice(), &mut packed).unwrap();
            assert_eq!(unpacked_size(&packed), Some(text.len()));
            assert_eq!(unpacked_size(&packed[..packed.len() / 2]), None);
        }
        assert_eq!(unpacked_size(b"no such thing at all"), None);
    }
}
