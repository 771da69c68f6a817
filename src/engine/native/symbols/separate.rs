//! Debug information that was separated from its file (strip(1), `objcopy --add-gnu-debuglink`): found by build
//! identifier or by name, where gdb looks for it.

use super::elf_file::ElfFile;
use std::fmt::Write as _;
use std::fs::{self, File};
use std::path::{Path, PathBuf};

/// Where the system keeps what was separated.
pub(super) const DEBUG_DIRECTORY: &str = "/usr/lib/debug";

/// The file with the debug information of `file`, which is at `path`.
pub(super) fn find(file: &ElfFile, path: &Path) -> Option<(ElfFile, PathBuf)> {
    if file.has_units() {
        return None;
    }
    let by_identifier = file.build_id.and_then(|identifier| {
        let path = identifier_path(identifier)?;
        Some((open(&path)?, path))
    });
    by_identifier.filter(|(found, _)| found.build_id == file.build_id).or_else(|| by_name(file, path))
}

fn open(path: &Path) -> Option<ElfFile> {
    ElfFile::map(&File::open(path).ok()?, path).ok()
}

/// `/usr/lib/debug/.build-id/ab/cdef….debug`.
pub(super) fn identifier_path(identifier: &[u8]) -> Option<PathBuf> {
    let (first, rest) = identifier.split_first()?;
    let mut path = format!("{DEBUG_DIRECTORY}/.build-id/{first:02x}/");
    for byte in rest {
        write!(path, "{byte:02x}").ok()?;
    }
    Some(PathBuf::from(path + ".debug"))
}

fn by_name(file: &ElfFile, path: &Path) -> Option<(ElfFile, PathBuf)> {
    let (name, checksum) = file.debug_link()?;
    let path = fs::canonicalize(path).ok()?;
    let directory = path.parent()?;
    let within = Path::new(DEBUG_DIRECTORY).join(directory.strip_prefix("/").ok()?);
    let places = [directory.join(name), directory.join(".debug").join(name), within.join(name)];
    places.iter().filter(|place| **place != path).find_map(|place| {
        let found = open(place)?;
        let same = match (file.build_id, found.build_id) {
            (Some(wanted), Some(own)) => wanted == own,
            _ => checksum_of(place) == Some(checksum),
        };
        same.then(|| (found, place.clone()))
    })
}

/// CRC-32 as in `.gnu_debuglink`, that of Ethernet.
fn checksum_of(path: &Path) -> Option<u32> {
    let bytes = fs::read(path).ok()?;
    let step = |crc: u32, byte: &u8| {
        (0..8).fold(crc ^ u32::from(*byte), |crc, _| (crc >> 1) ^ (0xedb8_8320 & 0_u32.wrapping_sub(crc & 1)))
    };
    Some(!bytes.iter().fold(!0, step))
}
