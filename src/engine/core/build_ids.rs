//! The build-ids of the files that a program had mapped, as its core file has them: the kernel stores the first page of
//! each mapped ELF file.

use super::little_endian::{half, long, word};
use super::open_core::OpenCore;
use std::fmt::Write as _;

const PROGRAM_HEADER: usize = 56;
/// More than any linker makes.
const MOST_HEADERS: usize = 256;
const MOST_NOTES: u64 = 1 << 16;
const PT_LOAD: u32 = 1;
const PT_NOTE: u32 = 4;
const NT_GNU_BUILD_ID: u32 = 3;

/// Returns the build-id of the ELF file whose first byte was mapped at an address; `None` if the file had none, or if the
/// core file does not have that page.
pub(super) fn build_id_at(core: &OpenCore, base: u64) -> Option<Vec<u8>> {
    let mut header = [0; 64];
    core.read(base, &mut header).ok()?;
    if !header.starts_with(b"\x7fELF") {
        return None;
    }
    let count = usize::from(half(&header, 56)?).min(MOST_HEADERS);
    let mut table = vec![0; count * PROGRAM_HEADER];
    core.read(base.checked_add(long(&header, 32)?)?, &mut table).ok()?;
    let headers = || table.chunks_exact(PROGRAM_HEADER);
    let of_kind = move |kind| headers().filter(move |header| word(header, 0) == Some(kind));
    let first = of_kind(PT_LOAD).filter_map(|header| long(header, 16)).min()?;
    let bias = base.wrapping_sub(first & !0xfff);
    of_kind(PT_NOTE).find_map(|header| {
        let size = usize::try_from(long(header, 40)?.min(MOST_NOTES)).ok()?;
        let mut notes = vec![0; size];
        core.read(bias.wrapping_add(long(header, 16)?), &mut notes).ok()?;
        build_id_in(&notes)
    })
}

fn build_id_in(mut notes: &[u8]) -> Option<Vec<u8>> {
    loop {
        let (owner, size) = (word(notes, 0)? as usize, word(notes, 4)? as usize);
        let start = 12_usize.checked_add(owner.checked_next_multiple_of(4)?)?;
        let end = start.checked_add(size)?;
        if word(notes, 8)? == NT_GNU_BUILD_ID && notes.get(12..16) == Some(b"GNU\0") {
            return Some(notes.get(start..end)?.to_vec());
        }
        notes = notes.get(end.checked_next_multiple_of(4)?..)?;
    }
}

/// Formats a build-id as `file` and `readelf -n` do, at most its first 20 bytes.
pub(super) fn hexadecimal(id: &[u8]) -> String {
    id.iter().take(20).fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}
