//! Debug information in a separate file (strip(1), `objcopy --add-gnu-debuglink`): found by build identifier or by
//! name, in the places where gdb looks.

use super::file::ElfFile;
use crate::named_file::{self, LONGEST_READ};
use std::fmt::Write as _;
use std::fs;
use std::io::Read as _;
use std::path::{Path, PathBuf};

/// The system's directory of separate debug files.
pub(crate) const DEBUG_DIRECTORY: &str = "/usr/lib/debug";

/// Finds the separate debug file of `file`, which is at `path`.
pub(crate) fn find(file: &ElfFile, path: &Path) -> Option<(ElfFile, PathBuf)> {
    if file.has_units() {
        return None;
    }
    let by_identifier = file.build_id.and_then(|identifier| {
        let path = identifier_path(identifier)?;
        Some((ElfFile::open(&path).ok()?, path))
    });
    by_identifier.filter(|(found, _)| found.build_id == file.build_id).or_else(|| by_name(file, path))
}

/// Returns `/usr/lib/debug/.build-id/ab/cdef….debug`.
pub(crate) fn identifier_path(identifier: &[u8]) -> Option<PathBuf> {
    let (first, rest) = identifier.split_first()?;
    let mut path = format!("{DEBUG_DIRECTORY}/.build-id/{first:02x}/");
    for byte in rest {
        write!(path, "{byte:02x}").ok()?;
    }
    Some(PathBuf::from(path + ".debug"))
}

fn by_name(file: &ElfFile, path: &Path) -> Option<(ElfFile, PathBuf)> {
    // The link must be a plain name, looked up in gdb's places: a path could lead anywhere.
    let (name, checksum) = file.debug_link()?;
    let ignored = |why: &str| {
        let _ = file.refused.set(format!("its debug link \"{name}\" is ignored: {why}"));
    };
    if !is_plain(name) {
        ignored("it is not a plain file name; put the file beside this one");
        return None;
    }
    let path = fs::canonicalize(path).ok()?;
    let directory = path.parent()?;
    let within = Path::new(DEBUG_DIRECTORY).join(directory.strip_prefix("/").ok()?);
    let places = [directory.join(name), directory.join(".debug").join(name), within.join(name)];
    places.iter().filter(|place| **place != path).find_map(|place| {
        let found = match ElfFile::open(place) {
            Ok(found) => found,
            Err(error) => {
                // Usually the debug file is just not installed.
                if place.exists() {
                    ignored(&error.to_string());
                }
                return None;
            }
        };
        let same = match (file.build_id, found.build_id) {
            (Some(wanted), Some(own)) => wanted == own,
            _ => checksum_of(place) == Some(checksum),
        };
        if !same {
            ignored(&format!("{} belongs to another build", place.display()));
        }
        same.then(|| (found, place.clone()))
    })
}

/// True for a file name without a path.
fn is_plain(name: &str) -> bool {
    !name.is_empty() && !name.contains('/') && name != "." && name != ".."
}

/// Computes the CRC-32 of `.gnu_debuglink`, that of Ethernet.
fn checksum_of(path: &Path) -> Option<u32> {
    let mut file = named_file::open(path, LONGEST_READ).ok()?;
    let step = |crc: u32, byte: &u8| {
        (0..8).fold(crc ^ u32::from(*byte), |crc, _| (crc >> 1) ^ (0xedb8_8320 & 0_u32.wrapping_sub(crc & 1)))
    };
    let (mut crc, mut part) = (!0, vec![0; 64 << 10]);
    loop {
        match file.read(&mut part).ok()? {
            0 => return Some(!crc),
            length => crc = part.get(..length)?.iter().fold(crc, step),
        }
    }
}
