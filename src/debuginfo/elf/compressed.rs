//! Sections that are compressed. What comes of decompressing one is kept for good, as the file is; but for a time, where
//! a file is only looked through.

use super::file::{Bytes, ElfFile, Section};
use object::ReadRef;
use object::elf;
use object::read::elf::SectionHeader;
use std::borrow::Cow;
use std::sync::{Arc, Mutex, PoisonError};

/// What was decompressed for a time: where, and how many bytes.
#[derive(Clone, Default)]
pub(crate) struct Lent(Arc<Mutex<Vec<(usize, usize)>>>);

impl ElfFile {
    /// Looks through the file; what was decompressed for that is given back.
    #[expect(unsafe_code, reason = "memory that was leaked on purpose is taken back")]
    pub(crate) fn for_a_time<T: Numbers>(&self, look: impl FnOnce(&Self) -> T) -> T {
        let lent = Lent::default();
        let seen = {
            let mut file = self.clone();
            file.lent = Some(lent.clone());
            look(&file)
        };
        for (place, length) in lent.0.lock().unwrap_or_else(PoisonError::into_inner).drain(..) {
            let bytes = std::ptr::slice_from_raw_parts_mut(std::ptr::with_exposed_provenance_mut::<u8>(place), length);
            // SAFETY: it was leaked as a box of this length, once. Who was given the file has dropped all that was made
            // of it: what is handed on is of a type that has numbers of its own only.
            drop(unsafe { Box::from_raw(bytes) });
        }
        seen
    }

    /// A section as it is in the file, compressed or not, and how many bytes it has when it is not.
    pub(crate) fn section_as_stored(&self, name: &str) -> (Bytes, u64) {
        let section = self.section(name).filter(|section| !section.without_bytes);
        let header = section.and_then(|section| self.table.section(object::SectionIndex(section.index)).ok());
        let Some(header) = header else { return (&[], 0) };
        let raw: Bytes = header.data(self.endian, self.data).unwrap_or_default();
        match header.compression(self.endian, self.data) {
            Ok(Some((compression, ..))) => (raw, compression.ch_size.get(self.endian)),
            _ => (raw, raw.len() as u64),
        }
    }

    /// The bytes of a section that was compressed before there was a standard for that: under another name, with
    /// `ZLIB` and the size in front.
    pub(crate) fn old_bytes_of(&self, name: &str) -> Option<Bytes> {
        let rest = name.strip_prefix(".debug_")?;
        let section = self.sections.iter().find(|section| section.name.strip_prefix(".zdebug_") == Some(rest))?;
        let data = self.bytes_of(section)?;
        let size = u64::from_be_bytes(*data.strip_prefix(b"ZLIB")?.first_chunk::<8>()?);
        self.decompressed(name, object::CompressionFormat::Zlib, data.get(12..)?, size)
    }

    pub(crate) fn bytes_of(&self, section: &Section) -> Option<Bytes> {
        let header = self.table.section(object::SectionIndex(section.index)).ok()?;
        let raw: Bytes = header.data(self.endian, self.data).ok()?;
        let Ok(Some((compression, offset, compressed_size))) = header.compression(self.endian, self.data) else {
            return Some(raw);
        };
        let format = match compression.ch_type.get(self.endian) {
            elf::ELFCOMPRESS_ZLIB => object::CompressionFormat::Zlib,
            elf::ELFCOMPRESS_ZSTD => object::CompressionFormat::Zstandard,
            _ => return None,
        };
        let data: Bytes = self.data.read_bytes_at(offset, compressed_size).ok()?;
        let uncompressed_size = compression.ch_size.get(self.endian);
        self.decompressed(section.name, format, data, uncompressed_size)
    }

    fn decompressed(
        &self,
        name: &str,
        format: object::CompressionFormat,
        data: Bytes,
        uncompressed_size: u64,
    ) -> Option<Bytes> {
        if uncompressed_size > most(data.len() as u64) {
            let _ = self.refused.set(format!(
                "its section {name} is not read, since its {} bytes would become {uncompressed_size} when decompressed",
                data.len()
            ));
            return None;
        }
        match (object::CompressedData { format, data, uncompressed_size }).decompress().ok()? {
            Cow::Borrowed(bytes) => Some(bytes),
            Cow::Owned(bytes) => {
                let bytes = Box::leak(bytes.into_boxed_slice());
                if let Some(Lent(lent)) = &self.lent {
                    let place = bytes.as_mut_ptr().expose_provenance();
                    lent.lock().unwrap_or_else(PoisonError::into_inner).push((place, bytes.len()));
                }
                Some(bytes)
            }
        }
    }
}

/// What a section of so many bytes may become. Debug information becomes a few times as long; what becomes more is made to
/// fill the memory, unless it is small all the same.
fn most(compressed: u64) -> u64 {
    // zlib reaches 1032 to 1, so a larger claim is a lie that must not be allocated.
    let possible = compressed.saturating_mul(1100);
    possible.min(compressed.saturating_mul(LIKELY).max(SMALL))
}

/// How many times as long debug information becomes at most.
const LIKELY: u64 = 40;
const SMALL: u64 = 32 << 20;

/// What holds nothing of a file but numbers.
pub(crate) trait Numbers {}

impl Numbers for Option<Vec<u8>> {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_made_to_fill_the_memory_is_not_decompressed() {
        // 1.2 GB in 1.3 MB, as a file of zeros becomes.
        assert!(most(1_300_000) < 60 << 20);
        assert_eq!(most(1000), 1_100_000);
        assert!(most(300 << 20) > 3 << 30, "what is large may become large");
    }
}
