//! A page of memory, as the screen shows it: bytes that cannot be read are gaps in it.

use crate::VirtualAddress;
use serde::{Deserialize, Serialize};

/// The bytes between two addresses at which readability may change.
const PAGE: u64 = 4096;

/// Bytes of a page that cannot be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct MemoryGap {
    /// The first of them, counted from the start of the page.
    pub from: u32,
    /// Their number.
    pub count: u32,
}

/// Bytes from an address on.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct MemoryPage {
    /// The address that was asked for, before the offset was added.
    pub base: VirtualAddress,
    /// The address of the first byte.
    pub start: VirtualAddress,
    /// The bytes; 0 where they cannot be read.
    pub bytes: Vec<u8>,
    /// The bytes that cannot be read, in ascending order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub gaps: Vec<MemoryGap>,
}

impl MemoryPage {
    /// The most bytes of a page.
    pub const MOST: u32 = 1 << 16;

    /// Reads a page in parts that do not cross a boundary at which readability may change. `read` returns the bytes
    /// before the first one that cannot be read.
    pub fn read(
        base: VirtualAddress,
        offset: i64,
        length: u32,
        mut read: impl FnMut(VirtualAddress, usize) -> Vec<u8>,
    ) -> Self {
        let start = VirtualAddress(base.0.wrapping_add_signed(offset));
        let length = length.min(Self::MOST) as usize;
        let mut page = Self { base, start, bytes: Vec::with_capacity(length), gaps: Vec::new() };
        while page.bytes.len() < length {
            let at = VirtualAddress(start.0.wrapping_add(page.bytes.len() as u64));
            let to_boundary = usize::try_from(PAGE - at.0 % PAGE).unwrap_or(1);
            let part = to_boundary.min(length - page.bytes.len());
            let mut bytes = read(at, part);
            bytes.truncate(part);
            let missing = part - bytes.len();
            page.bytes.append(&mut bytes);
            if missing > 0 {
                page.add_gap(missing);
            }
        }
        page
    }

    fn add_gap(&mut self, count: usize) {
        let (from, count) = (self.bytes.len() as u32, count as u32);
        match self.gaps.last_mut() {
            Some(last) if last.from + last.count == from => last.count += count,
            _ => self.gaps.push(MemoryGap { from, count }),
        }
        self.bytes.resize(self.bytes.len() + count as usize, 0);
    }

    /// The bytes at an offset from the base; `None` if one of them cannot be read, or is not of this page.
    pub fn at(&self, offset: i64, count: usize) -> Option<&[u8]> {
        let from = self.place_of(offset)?;
        let bytes = self.bytes.get(from..from.checked_add(count)?)?;
        let is_hit = |gap: &MemoryGap| {
            let gap = gap.from as usize..(gap.from as usize).saturating_add(gap.count as usize);
            from < gap.end && gap.start < from + count
        };
        (!self.gaps.iter().any(is_hit)).then_some(bytes)
    }

    /// True if the page has these bytes, whether they can be read or not.
    pub fn covers(&self, offset: i64, count: usize) -> bool {
        self.place_of(offset).is_some_and(|from| from.saturating_add(count) <= self.bytes.len())
    }

    /// The index in the page of a byte at an offset from the base.
    pub fn place_of(&self, offset: i64) -> Option<usize> {
        let first = self.start.0.wrapping_sub(self.base.0) as i64;
        usize::try_from(offset.checked_sub(first)?).ok()
    }

    /// A number that is equal for equal bytes and gaps, whatever their addresses are (FNV-1a, 64 bits).
    pub fn digest(&self, offset: i64, count: usize) -> u64 {
        let mut hash = 0xcbf2_9ce4_8422_2325_u64;
        let mut add = |byte: u8| hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        for at in 0..count {
            match self.at(offset.saturating_add(at as i64), 1) {
                Some(bytes) => {
                    add(1);
                    bytes.iter().for_each(|byte| add(*byte));
                }
                None => add(0),
            }
        }
        hash
    }
}

/// An address written as a number: `0x7ffe0010`. It needs no frame, and no language.
pub fn literal_address(text: &str) -> Option<VirtualAddress> {
    let digits = text.trim().strip_prefix("0x")?;
    if digits.is_empty() || !digits.bytes().all(|digit| digit.is_ascii_hexdigit()) {
        return None;
    }
    u64::from_str_radix(digits, 16).ok().map(VirtualAddress)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Memory of which the addresses from 0x2000 to 0x2fff and those from 0x3010 on cannot be read.
    fn holed(at: VirtualAddress, count: usize) -> Vec<u8> {
        let readable = |address: u64| address < 0x2000 || (0x3000..0x3010).contains(&address);
        (0..count as u64)
            .map(|i| at.0 + i)
            .take_while(|address| readable(*address))
            .map(|address| address as u8)
            .collect()
    }

    #[test]
    fn what_cannot_be_read_is_a_gap() {
        let page = MemoryPage::read(VirtualAddress(0x2ff0), -0x1000, 0x1040, holed);
        assert_eq!((page.start, page.bytes.len()), (VirtualAddress(0x1ff0), 0x1040));
        assert_eq!(page.gaps, [MemoryGap { from: 0x10, count: 0x1000 }, MemoryGap { from: 0x1020, count: 0x20 }]);
        assert_eq!(page.at(-0x1000, 2), Some(&[0xf0, 0xf1][..]));
        assert_eq!(page.at(-0xff1, 1), Some(&[0xff][..]));
        assert_eq!(page.at(-0xff1, 2), None, "half of it is readable");
        assert_eq!(page.at(0x1f, 1), Some(&[0x0f][..]));
        assert!(page.covers(0x20, 0x20) && !page.covers(0x20, 0x21) && !page.covers(-0x1001, 1));
    }

    #[test]
    fn equal_bytes_elsewhere_have_the_same_digest() {
        let page = |base| MemoryPage::read(VirtualAddress(base), 0, 64, |_, count| (0..count as u8 / 2).collect());
        assert_eq!(page(0x1000).digest(0, 64), page(0x5000).digest(0, 64));
        assert_ne!(page(0x1000).digest(0, 64), page(0x1000).digest(0, 32));
        let zeros = MemoryPage::read(VirtualAddress(0), 0, 4, |_, _| Vec::new());
        let readable = MemoryPage::read(VirtualAddress(0), 0, 4, |_, count| vec![0; count]);
        assert_ne!(zeros.digest(0, 4), readable.digest(0, 4), "a gap is no zero");
    }

    #[test]
    fn only_a_number_is_a_literal_address() {
        assert_eq!(literal_address(" 0x1F0 "), Some(VirtualAddress(0x1f0)));
        for text in ["0x", "1f0", "0x1f0+8", "0x1ffffffffffffffff", "p"] {
            assert_eq!(literal_address(text), None, "{text}");
        }
    }
}
