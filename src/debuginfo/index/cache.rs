//! Indexes of debug information, saved in files by build identifier, so that a program debugged before need not be
//! scanned again. A saved file that is damaged, from another version of this program, or for other debug information
//! counts as missing and is made again.

use crate::elf::file::ElfFile;
use crate::named_file::{self, LONGEST_READ};
use rustc_hash::FxHasher;
use std::fmt::Write as _;
use std::fs::{self, DirBuilder, File};
use std::hash::Hasher;
use std::io::Write as _;
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt as _};
use std::path::PathBuf;

/// Increase it whenever the same bytes would mean something else.
const VERSION: u32 = 6;
const MAGIC: [u8; 8] = *b"rsindex\n";
/// Less debug information than this is read faster than a saved file.
const LEAST: usize = 2 << 20;
/// As [`LEAST`], for compressed information; a saved index avoids decompressing it.
const LEAST_COMPRESSED: usize = LEAST / 8;
/// The limit on saved files; the oldest are removed.
const MOST_FILES: usize = 64;
/// The number of samples compared in each section.
const SAMPLES: usize = 64;
const SAMPLE: usize = 4096;

/// The directory of saved indexes.
#[derive(Clone, Debug)]
pub struct IndexCache {
    directory: PathBuf,
    least: usize,
}

/// The identity of an indexed file: its saved file, and a digest of its debug information.
pub(crate) struct IndexKey {
    path: PathBuf,
    directory: PathBuf,
    look: u64,
    /// True if the indexed file's debug information is compressed.
    pub(crate) is_compressed: bool,
}

/// A row of a table of names: the hash, and the entry's offset and kind.
pub(crate) type NameRow = [u8; 8];

/// A file of a line table, as the hash of the last part of its name.
pub(crate) type FileRow = [u8; 4];

/// A unit in saved form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct KeptUnit<'a> {
    pub(crate) rows: &'a [NameRow],
    pub(crate) files: &'a [FileRow],
    pub(crate) has_foreign_origins: bool,
}

/// The index of a file in saved form.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct KeptIndex<'a> {
    pub(crate) units: Vec<KeptUnit<'a>>,
    /// The beginning, end and unit of each range of addresses, in order.
    pub(crate) ranges: Vec<(u64, u64, u32)>,
}

impl IndexCache {
    /// Uses the user's cache directory; `None` if there is none.
    pub fn of_user() -> Option<Self> {
        // Without HOME, the C library looks up the user through a library of the host, which aborts a program that is
        // linked to another C library.
        let is_named = std::env::var_os("HOME").is_some_and(|home| !home.is_empty());
        if cfg!(target_feature = "crt-static") && !is_named {
            return None;
        }
        let directories = directories::ProjectDirs::from("", "", "rankscope")?;
        Some(Self { directory: directories.cache_dir().join("index"), least: LEAST })
    }

    /// Uses the given directory, and saves indexes of any size.
    pub fn within(directory: PathBuf) -> Self {
        Self { directory, least: 0 }
    }

    /// Returns the key of a file's index; `None` if it is not worth saving or has no build identifier.
    pub(crate) fn key(&self, file: &ElfFile) -> Option<IndexKey> {
        let identifier = file.build_id.filter(|identifier| !identifier.is_empty())?;
        let (info, unpacked) = file.section_as_stored(".debug_info");
        let is_compressed = unpacked > info.len() as u64;
        let least = if is_compressed { self.least.min(LEAST_COMPRESSED) } else { self.least };
        if unpacked < least as u64 {
            return None;
        }
        let mut name = String::new();
        for byte in identifier {
            write!(name, "{byte:02x}").ok()?;
        }
        let path = self.directory.join(name);
        Some(IndexKey {
            path,
            directory: self.directory.clone(),
            look: look(file.stamp, &[info, file.section_as_stored(".debug_abbrev").0]),
            is_compressed,
        })
    }
}

/// Computes a digest of samples across the sections, and of the file's stamp, which reflects changes that no sample
/// shows.
fn look(stamp: u64, sections: &[&[u8]]) -> u64 {
    let mut hasher = FxHasher::default();
    hasher.write_u64(stamp);
    for section in sections {
        hasher.write_usize(section.len());
        let step = (section.len() / SAMPLES).max(SAMPLE);
        section.chunks(step).for_each(|part| hasher.write(part.get(..SAMPLE).unwrap_or(part)));
    }
    hasher.finish()
}

fn checksum(bytes: &[u8]) -> u64 {
    let mut hasher = FxHasher::default();
    hasher.write(bytes);
    hasher.finish()
}

impl IndexKey {
    pub(crate) fn load(&self) -> Option<KeptIndex<'static>> {
        let found = parse(Vec::leak(named_file::read(&self.path, LONGEST_READ).ok()?), self.look);
        if found.is_none() {
            tracing::info!("{} is damaged or from another version: rebuilding it", self.path.display());
        }
        found
    }

    /// Saves an index written by [`IndexKey::print`]. If saving fails, it is made again next time.
    pub(crate) fn store(&self, printed: &[u8]) {
        if let Err(error) = self.try_store(printed) {
            tracing::info!("cannot write {}: {error}", self.path.display());
        }
    }

    pub(crate) fn print(&self, index: &KeptIndex<'_>) -> Vec<u8> {
        print(index, self.look)
    }

    /// Reads the output of [`IndexKey::print`].
    pub(crate) fn parse(&self, printed: Vec<u8>) -> Option<KeptIndex<'static>> {
        parse(Vec::leak(printed), self.look)
    }

    fn try_store(&self, bytes: &[u8]) -> std::io::Result<()> {
        DirBuilder::new().recursive(true).mode(0o700).create(&self.directory)?;
        let mut name = self.path.clone().into_os_string();
        name.push(format!(".{}.new", std::process::id()));
        let new = PathBuf::from(name);
        // Write to a new file, so that no reader sees a partial one.
        let written = File::options()
            .write(true)
            .create_new(true)
            .mode(0o600)
            .open(&new)
            .and_then(|mut file| file.write_all(bytes));
        written.and_then(|()| fs::rename(&new, &self.path)).inspect_err(|_| drop(fs::remove_file(&new)))?;
        self.forget_the_oldest()
    }

    fn forget_the_oldest(&self) -> std::io::Result<()> {
        let mut files = Vec::new();
        for entry in fs::read_dir(&self.directory)? {
            let entry = entry?;
            files.push((entry.metadata()?.modified()?, entry.path()));
        }
        files.sort();
        let more = files.len().saturating_sub(MOST_FILES);
        files.iter().take(more).try_for_each(|(_, path)| fs::remove_file(path))
    }
}

fn print(index: &KeptIndex<'_>, look: u64) -> Vec<u8> {
    let rows: usize = index.units.iter().map(|unit| unit.rows.len()).sum();
    let files: usize = index.units.iter().map(|unit| unit.files.len()).sum();
    let mut body = Vec::with_capacity(rows * 8 + files * 4 + index.units.len() * 9 + index.ranges.len() * 20 + 16);
    body.extend((index.units.len() as u32).to_le_bytes());
    body.extend((index.ranges.len() as u32).to_le_bytes());
    for unit in &index.units {
        body.extend((unit.rows.len() as u32).to_le_bytes());
        body.extend((unit.files.len() as u32).to_le_bytes());
        body.push(u8::from(unit.has_foreign_origins));
    }
    for (begin, end, unit) in &index.ranges {
        body.extend(begin.to_le_bytes());
        body.extend(end.to_le_bytes());
        body.extend(unit.to_le_bytes());
    }
    for unit in &index.units {
        body.extend(unit.rows.as_flattened());
        body.extend(unit.files.as_flattened());
    }
    let mut bytes = Vec::with_capacity(body.len() + 28);
    bytes.extend(MAGIC);
    bytes.extend(VERSION.to_le_bytes());
    bytes.extend(look.to_le_bytes());
    bytes.extend(checksum(&body).to_le_bytes());
    bytes.append(&mut body);
    bytes
}

/// Reads numbers and slices from the front.
struct Reader(&'static [u8]);

impl Reader {
    fn take<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (first, rest) = self.0.split_first_chunk::<N>()?;
        self.0 = rest;
        Some(*first)
    }

    fn bytes(&mut self, count: usize) -> Option<&'static [u8]> {
        let (own, rest) = self.0.split_at_checked(count)?;
        self.0 = rest;
        Some(own)
    }

    fn word(&mut self) -> Option<u32> {
        self.take().map(u32::from_le_bytes)
    }

    fn long(&mut self) -> Option<u64> {
        self.take().map(u64::from_le_bytes)
    }
}

fn parse(bytes: &'static [u8], look: u64) -> Option<KeptIndex<'static>> {
    let mut reader = Reader(bytes);
    let same = reader.take::<8>()? == MAGIC && reader.word()? == VERSION && reader.long()? == look;
    if !same || reader.long()? != checksum(reader.0) {
        return None;
    }
    let (units, ranges) = (reader.word()? as usize, reader.word()? as usize);
    // Trust a count only as far as there are bytes for it.
    let mut sizes = Vec::with_capacity(units.min(reader.0.len()));
    for _ in 0..units {
        sizes.push((reader.word()? as usize, reader.word()? as usize, reader.take::<1>()? == [1]));
    }
    let mut index = KeptIndex { units: Vec::with_capacity(sizes.len()), ranges: Vec::new() };
    for _ in 0..ranges {
        index.ranges.push((reader.long()?, reader.long()?, reader.word()?));
    }
    for (rows, files, has_foreign_origins) in sizes {
        let rows = reader.bytes(rows.checked_mul(8)?)?.as_chunks::<8>().0;
        let files = reader.bytes(files.checked_mul(4)?)?.as_chunks::<4>().0;
        index.units.push(KeptUnit { rows, files, has_foreign_origins });
    }
    reader.0.is_empty().then_some(index)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn index() -> KeptIndex<'static> {
        let rows: &'static [NameRow] = &[[1, 2, 3, 4, 5, 6, 7, 8], [2; 8], [3; 8]];
        let files: &'static [FileRow] = &[[7, 0, 0, 1], [9; 4]];
        let unit = |count: usize, has_foreign_origins| KeptUnit {
            rows: &rows[..count],
            files: &files[..count.min(2)],
            has_foreign_origins,
        };
        KeptIndex { units: vec![unit(3, false), unit(0, true), unit(1, false)], ranges: vec![(16, 32, 0), (40, 99, 2)] }
    }

    #[test]
    fn a_file_that_is_changed_where_no_sample_is_taken_is_another() {
        use std::os::unix::fs::FileExt as _;
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("program");
        fs::copy("/proc/self/exe", &path).unwrap();
        let cache = IndexCache::within(place.path().join("cache"));
        let seen = || cache.key(&ElfFile::open(&path).unwrap()).unwrap().look;
        let before = seen();
        assert_eq!(seen(), before);
        let program = ElfFile::open(&path).unwrap();
        let info = program.section_as_stored(".debug_info").0;
        let step = (info.len() / SAMPLES).max(SAMPLE);
        assert!(step > SAMPLE + 1, "there is room between samples");
        let start = info.as_ptr() as usize - program.data.as_ptr() as usize;
        let file = File::options().write(true).open(&path).unwrap();
        let modified = file.metadata().unwrap().modified().unwrap();
        file.write_all_at(&[!info[SAMPLE + 1]], (start + SAMPLE + 1) as u64).unwrap();
        // An overwritten file can be given the same length and modification time.
        file.set_modified(modified).unwrap();
        assert_ne!(seen(), before);
    }

    fn leaked(bytes: Vec<u8>) -> &'static [u8] {
        Vec::leak(bytes)
    }

    #[test]
    fn what_is_kept_is_found_again() {
        assert_eq!(parse(leaked(print(&index(), 7)), 7), Some(index()));
        assert_eq!(parse(leaked(print(&index(), 7)), 8), None);
        assert_eq!(parse(leaked(print(&KeptIndex::default(), 7)), 7), Some(KeptIndex::default()));
    }

    #[test]
    fn any_changed_byte_and_any_missing_end_are_noticed() {
        let whole = print(&index(), 7);
        for place in 0..whole.len() {
            for change in [1, 0x80, 0xff] {
                let mut changed = whole.clone();
                changed[place] ^= change;
                assert_eq!(parse(leaked(changed), 7), None, "{place}");
            }
            assert_eq!(parse(leaked(whole[..place].to_vec()), 7), None, "{place}");
        }
    }

    #[test]
    fn sections_of_the_same_length_look_different() {
        let section = vec![5; 3 << 20];
        for place in [0, 4095, (3 << 20) - 1 - ((3 << 20) / SAMPLES - 1)] {
            let mut other = section.clone();
            other[place] = 6;
            assert_ne!(look(1, &[&section]), look(1, &[&other]), "{place}");
        }
        assert_ne!(look(1, &[&section]), look(1, &[&section[1..]]));
        assert_ne!(look(1, &[&section]), look(2, &[&section]));
    }
}
