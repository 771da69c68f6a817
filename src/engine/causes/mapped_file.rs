//! Accesses to mapped files whose content cannot be provided.

use super::fatal_signal::FatalSignal;
use super::memory_map::MemoryMap;
use crate::process::memory::Mapping;
use model::{Cause, CauseKind};
use nix::sys::statvfs::statvfs;
use std::path::Path;

/// `si_code` of an access to memory that does not exist (sigaction(2)).
const NOT_THERE: i32 = 2;
const PAGE: u64 = 4096;

/// Returns the cause of a SIGBUS: the file has become shorter, or its file system is full.
pub(super) fn cause(signal: &FatalSignal, map: &MemoryMap) -> Option<Cause> {
    let address = signal.address().filter(|_| signal.code() == Some(NOT_THERE))?;
    let mapping = map.mapping(address).filter(|mapping| mapping.inode != 0)?;
    let file = map.file(mapping)?;
    let length = file.metadata().ok()?.len();
    let cause = |kind, text| Some(Cause { kind, text, source: None });
    if begins_behind(mapping, address, length) {
        return cause(CauseKind::WildPointer, format!("access behind the end of the mapped file {}", mapping.name));
    }
    let directory = Path::new(&mapping.name).parent()?;
    let free = statvfs(&file).ok()?.blocks_available();
    let text = || format!("the file system of {} has no room for a mapped file", directory.display());
    if free == 0 { cause(CauseKind::OutOfMemory, text()) } else { None }
}

/// True if the page of an address begins behind the end of a file with this length.
fn begins_behind(mapping: &Mapping, address: u64, length: u64) -> bool {
    let offset = mapping.offset.saturating_add(address.saturating_sub(mapping.start));
    offset - offset % PAGE >= length
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_of_a_file_begin_before_its_end() {
        let name = "/data".to_owned();
        let mapping =
            Mapping { start: 0x10000, end: 0x20000, offset: 0x2000, executable: false, changes: true, inode: 7, name };
        assert!(begins_behind(&mapping, 0x10010, 0x2000));
        assert!(!begins_behind(&mapping, 0x10fff, 0x2001), "the rest of the last page is there");
        assert!(begins_behind(&mapping, 0x11000, 0x2001));
    }
}
