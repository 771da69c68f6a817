//! Debug information shared by several images (dwz(1), `-m`): an image names the file in `.gnu_debugaltlink`.

use super::damage::Damage;
use crate::elf::debug_link::{DEBUG_DIRECTORY, identifier_path};
use crate::elf::file::ElfFile;
use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

/// Finds the file of shared debug information for `file`, which is at `path`.
pub(crate) fn find(file: &ElfFile, path: &Path, damage: &Damage) -> Option<ElfFile> {
    let data = file.section_data(".gnu_debugaltlink");
    if data.is_empty() {
        return None;
    }
    let end = data.iter().position(|byte| *byte == 0)?;
    let (name, identifier) = (Path::new(OsStr::from_bytes(data.get(..end)?)), data.get(end + 1..)?);
    let directory = fs::canonicalize(path).ok();
    let directory = directory.as_deref().and_then(Path::parent);
    let places = [
        Some(directory.map_or_else(|| name.to_path_buf(), |directory| directory.join(name))),
        identifier_path(identifier),
        name.file_name().map(|name| PathBuf::from(DEBUG_DIRECTORY).join(".dwz").join(name)),
    ];
    let open = |place: &PathBuf| ElfFile::open(place).ok();
    let found = places.iter().flatten().filter_map(open).find(|found| found.build_id == Some(identifier));
    if found.is_none() {
        damage.absent(&name.to_string_lossy());
    }
    found
}
