//! An open core file: what its headers and notes say, and its memory, which is read when it is needed.

use super::fault::CoreFileFault;
use super::headers::{Headers, Segment};
use super::little_endian::long;
use super::notes::Notes;
use debuginfo::named_file;
use std::fs::File;
use std::os::unix::fs::{FileExt, MetadataExt};
use std::path::Path;

/// The most bytes of notes that are read: those of some ten thousand threads.
const MOST_NOTES: u64 = 256 << 20;
/// The auxiliary vector is looked for in so many bytes at the end of the first stack: behind it are only the arguments
/// and the environment.
const STACK_END: u64 = 8 << 20;
/// The most variables of an environment, and bytes of each.
const MOST_VARIABLES: usize = 1 << 16;
const LONGEST_VARIABLE: usize = 1 << 17;
/// The tag of the address of the program's path, at the end of the first stack (getauxval(3)).
const AT_EXECFN: u64 = 31;

/// An open core file.
#[derive(Debug)]
pub(super) struct OpenCore {
    pub(super) path: String,
    file: File,
    pub(super) segments: Vec<Segment>,
    pub(super) notes: Notes,
    /// In words, what is wrong with the file.
    pub(super) damage: Vec<String>,
    /// When the file was written last, in seconds.
    pub(super) written: i64,
}

impl OpenCore {
    /// Opens a core file and reads its notes.
    pub(super) fn open(path: &str) -> Result<Self, CoreFileFault> {
        let unreadable = |reason: String| CoreFileFault::Unreadable { path: path.to_owned(), reason };
        // Sparse memory makes core files look larger than any file system.
        let file = named_file::open(Path::new(path), u64::MAX).map_err(|error| unreadable(error.to_string()))?;
        let facts = file.metadata().map_err(|error| unreadable(error.to_string()))?;
        let headers = Headers::read(&file, facts.len(), path)?;
        let mut notes = Notes::default();
        let mut left = MOST_NOTES;
        for (offset, size) in &headers.notes {
            let size = (*size).min(left).min(facts.len().saturating_sub(*offset));
            left -= size;
            let mut bytes = vec![0; usize::try_from(size).unwrap_or(0)];
            file.read_exact_at(&mut bytes, *offset).map_err(|error| unreadable(error.to_string()))?;
            notes.add(&bytes);
        }
        let mut damage: Vec<String> = headers.damage.iter().map(|words| (*words).to_owned()).collect();
        if headers.wanted_size > facts.len() {
            damage.push(format!("it is cut off: it has {} of {} bytes", facts.len(), headers.wanted_size));
        }
        damage.dedup();
        if notes.threads.is_empty() {
            damage.push("it has no threads".to_owned());
            return Err(CoreFileFault::Damaged { path: path.to_owned(), reason: damage.join("; ") });
        }
        let (path, segments, written) = (path.to_owned(), headers.segments, facts.mtime());
        Ok(Self { path, file, segments, notes, damage, written })
    }

    /// Returns the segment that contains an address.
    pub(super) fn segment(&self, address: u64) -> Option<&Segment> {
        let behind = self.segments.partition_point(|segment| segment.start <= address);
        let segment = self.segments.get(behind.checked_sub(1)?)?;
        (address < segment.end).then_some(segment)
    }

    /// Reads as many bytes from an address as the file has there in one piece.
    pub(super) fn read_some(&self, address: u64, into: &mut [u8]) -> usize {
        let Some(segment) = self.segment(address).filter(|segment| address < segment.stored_end) else { return 0 };
        let length = usize::try_from(segment.stored_end - address).unwrap_or(usize::MAX).min(into.len());
        let Some(offset) = segment.offset.checked_add(address - segment.start) else { return 0 };
        let Some(place) = into.get_mut(..length) else { return 0 };
        // A file that has been cut off since it was opened has less.
        if self.file.read_exact_at(place, offset).is_ok() { length } else { 0 }
    }

    /// Fills `into` from an address, or fails with the first address that the file does not have.
    pub(super) fn read(&self, address: u64, into: &mut [u8]) -> Result<(), u64> {
        let mut done = 0;
        while let Some(rest) = into.get_mut(done..).filter(|rest| !rest.is_empty()) {
            let at = address.checked_add(done as u64).ok_or(address)?;
            match self.read_some(at, rest) {
                0 => return Err(at),
                more => done += more,
            }
        }
        Ok(())
    }

    /// Returns the environment with which the program was started.
    pub(super) fn environment(&self) -> Vec<(String, String)> {
        let variable = |text: Vec<u8>| {
            let text = String::from_utf8_lossy(&text).into_owned();
            text.split_once('=').map(|(name, value)| (name.to_owned(), value.to_owned()))
        };
        let words = self.environment_words().unwrap_or_default();
        words.into_iter().filter_map(|at| variable(self.text(at)?)).collect()
    }

    /// Returns the addresses of the variables: on the first stack, the pointers to them lie between a null pointer and
    /// the auxiliary vector (System V ABI, AMD64 supplement, figure 3.9).
    fn environment_words(&self) -> Option<Vec<u64>> {
        let stack = self.segment(self.notes.auxiliary(AT_EXECFN)?)?;
        let start = stack.start.max(stack.stored_end.saturating_sub(STACK_END)).next_multiple_of(8);
        let mut bytes = vec![0; usize::try_from(stack.stored_end.checked_sub(start)?).ok()?];
        self.read(start, &mut bytes).ok()?;
        let vector = self.notes.auxiliary_vector.get(..32)?;
        let at =
            (0..bytes.len()).step_by(8).rev().find(|at| bytes.get(*at..).is_some_and(|b| b.starts_with(vector)))?;
        let before = bytes.get(..at)?.rchunks_exact(8).map(|word| long(word, 0).unwrap_or(0));
        let mut words: Vec<u64> = before.skip(1).take(MOST_VARIABLES).take_while(|word| *word != 0).collect();
        words.reverse();
        Some(words)
    }

    /// Reads a text that ends in a zero byte.
    pub(super) fn text(&self, address: u64) -> Option<Vec<u8>> {
        let mut text = Vec::new();
        while text.len() < LONGEST_VARIABLE {
            let mut part = [0; 256];
            let at = address.checked_add(text.len() as u64)?;
            let length = self.read_some(at, &mut part);
            let there = part.get(..length)?;
            if let Some(end) = there.iter().position(|byte| *byte == 0) {
                text.extend(there.get(..end)?);
                return Some(text);
            }
            if there.is_empty() {
                return None;
            }
            text.extend(there);
        }
        None
    }
}
