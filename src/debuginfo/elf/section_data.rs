//! The bytes of sections, decompressed if necessary.

use super::compressed::Bytes;
use super::compressed::{Lent, decompressed};
use super::file::{ElfFile, Section};
use object::ReadRef;
use object::elf;
use object::read::elf::SectionHeader;
use std::sync::PoisonError;

/// Most scripts for gdb that are named, and the longest name: the section is not trusted.
const MOST_SCRIPTS: usize = 64;
const LONGEST_NAME: usize = 256;

impl ElfFile {
    /// Returns the bytes of a section, decompressed; empty if it is missing, has none or cannot be read.
    pub(crate) fn section_data(&self, name: &str) -> Bytes {
        let found = self.section(name).filter(|section| !section.without_bytes);
        match found {
            Some(section) => self.bytes_of(section),
            None => self.old_bytes_of(name),
        }
        .unwrap_or_default()
    }

    /// Returns the names of the scripts that the file has for gdb (`.debug_gdb_scripts`): files, and texts by their first
    /// line.
    pub fn gdb_scripts(&self) -> Vec<String> {
        let data = self.section_data(".debug_gdb_scripts");
        let entries = data.split(|byte| *byte == 0).take(MOST_SCRIPTS);
        // The first byte says what kind of script it is.
        let names = entries.filter_map(|entry| entry.get(1..)?.split(|byte| *byte == b'\n').next());
        let names = names.map(|name| {
            String::from_utf8_lossy(name.get(..LONGEST_NAME.min(name.len())).unwrap_or_default()).into_owned()
        });
        names.filter(|name| !name.is_empty()).collect()
    }

    /// Returns the bytes of all sections of a name: an object file may have one for each type.
    pub(crate) fn all_section_data(&self, name: &str) -> Vec<Bytes> {
        let all = self.sections.iter().filter(|section| section.name == name && !section.without_bytes);
        all.filter_map(|section| self.bytes_of(section)).collect()
    }

    /// Runs `look` on the file, then frees what was decompressed for it.
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

    /// Returns a section's bytes as stored in the file, compressed or not, and its size when uncompressed.
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

    /// Returns the bytes of a section compressed in the older GNU format, with another name, and `ZLIB` and the size in
    /// front.
    fn old_bytes_of(&self, name: &str) -> Option<Bytes> {
        let rest = name.strip_prefix(".debug_")?;
        let section = self.sections.iter().find(|section| section.name.strip_prefix(".zdebug_") == Some(rest))?;
        let data = self.bytes_of(section)?;
        let size = u64::from_be_bytes(*data.strip_prefix(b"ZLIB")?.first_chunk::<8>()?);
        self.decompressed(name, object::CompressionFormat::Zlib, data.get(12..)?, size)
    }

    fn bytes_of(&self, section: &Section) -> Option<Bytes> {
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

    fn decompressed(&self, name: &str, format: object::CompressionFormat, data: Bytes, size: u64) -> Option<Bytes> {
        decompressed(name, format, data, size, &self.refused, self.lent.as_ref())
    }
}

/// A type that keeps no reference to a file's bytes.
pub(crate) trait Numbers {}

impl Numbers for Option<Vec<u8>> {}
