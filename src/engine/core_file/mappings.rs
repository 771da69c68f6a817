//! The mappings of a process, as `/proc/PID/smaps` (proc(5)) has them.

use crate::process::procfs::witness;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

/// One mapping, with what decides whether a core file has its content.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct CoreMapping {
    /// The first address.
    pub(super) start: u64,
    /// The address after the last.
    pub(super) end: u64,
    /// The rights, as in a program header: `PF_R`, `PF_W`, `PF_X`.
    pub(super) rights: u32,
    pub(super) is_shared: bool,
    /// The offset in the mapped file, in bytes.
    pub(super) offset: u64,
    /// The path of the mapped file, or a word in brackets; empty for anonymous memory.
    pub(super) name: Vec<u8>,
    /// True if a file is mapped.
    pub(super) has_file: bool,
    /// True if it has pages of its own, in memory or swapped out: the process has written to it.
    pub(super) has_own_pages: bool,
    pub(super) flags: VmFlags,
}

/// The flags of a mapping that matter here (proc(5), `VmFlags`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct VmFlags {
    /// `dd`: madvise(2) `MADV_DONTDUMP`.
    pub(super) is_not_dumped: bool,
    /// `io`: memory of a device.
    pub(super) is_device: bool,
    /// `ht`: huge pages of hugetlbfs.
    pub(super) has_huge_pages: bool,
}

impl CoreMapping {
    pub(super) fn size(&self) -> u64 {
        self.end - self.start
    }

    /// True if a shared mapping's file has no name any more, as that of shared anonymous memory.
    pub(super) fn is_unlinked(&self) -> bool {
        self.name.ends_with(b" (deleted)") && !Path::new(std::ffi::OsStr::from_bytes(&self.name)).exists()
    }
}

/// Returns the mappings in ascending order; empty when the process is gone.
pub(super) fn read(pid: i32) -> Vec<CoreMapping> {
    parse(&fs::read(format!("/proc/{}/smaps", witness(pid))).unwrap_or_default())
}

fn parse(text: &[u8]) -> Vec<CoreMapping> {
    let mut mappings: Vec<CoreMapping> = Vec::new();
    for line in text.split(|byte| *byte == b'\n') {
        if let Some(mapping) = head(line) {
            mappings.push(mapping);
        } else if let Some(mapping) = mappings.last_mut() {
            detail(line, mapping);
        }
    }
    mappings
}

/// Parses the first line of a mapping.
fn head(line: &[u8]) -> Option<CoreMapping> {
    let mut words = line.splitn(6, |byte| *byte == b' ');
    let mut text = || std::str::from_utf8(words.next()?).ok();
    let (start, end) = text()?.split_once('-')?;
    let (rights, offset, _device, inode) = (text()?, text()?, text()?, text()?);
    let hexadecimal = |digits| u64::from_str_radix(digits, 16).ok();
    let name = unescaped(words.next().unwrap_or_default().trim_ascii_start());
    let right = |letter, bit| if rights.contains(letter) { bit } else { 0 };
    let (start, end) = (hexadecimal(start)?, hexadecimal(end)?);
    Some(CoreMapping {
        start,
        end: end.max(start),
        rights: right('r', 4) | right('w', 2) | right('x', 1),
        is_shared: rights.contains('s'),
        offset: hexadecimal(offset)?,
        has_file: inode != "0" || name.starts_with(b"/"),
        name,
        has_own_pages: false,
        flags: VmFlags::default(),
    })
}

/// Parses a line below the first: `Anonymous:  12 kB`.
fn detail(line: &[u8], mapping: &mut CoreMapping) {
    let Some((name, rest)) = std::str::from_utf8(line).ok().and_then(|line| line.split_once(':')) else { return };
    let mut words = rest.split_ascii_whitespace();
    match name {
        // The kernel counts huge pages of hugetlbfs apart.
        "Anonymous" | "Swap" | "Private_Hugetlb" | "Shared_Hugetlb" => {
            mapping.has_own_pages |= words.next().is_some_and(|size| size != "0");
        }
        "VmFlags" => {
            for flag in words {
                match flag {
                    "dd" => mapping.flags.is_not_dumped = true,
                    "io" => mapping.flags.is_device = true,
                    "ht" => mapping.flags.has_huge_pages = true,
                    _ => {}
                }
            }
        }
        _ => {}
    }
}

/// Replaces the kernel's spelling of a line's end in a name.
fn unescaped(name: &[u8]) -> Vec<u8> {
    let mut rest = name;
    let mut bytes = Vec::with_capacity(name.len());
    while let Some((first, after)) = rest.split_first() {
        match rest.strip_prefix(b"\\012") {
            Some(after) => {
                bytes.push(b'\n');
                rest = after;
            }
            None => {
                bytes.push(*first);
                rest = after;
            }
        }
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mappings_are_read_with_their_pages_and_flags() {
        let text = b"55d0-55f0 r-xp 00001000 fe:00 12                         /a b/ring\\012x\n\
            Size:   4 kB\nAnonymous:             4 kB\nSwap:  0 kB\nVmFlags: rd ex mr mw me dd \n\
            7f00-7f10 rw-s 00000000 00:01 7 /dev/zero (deleted)\nAnonymous: 0 kB\nVmFlags: rd wr ht io\n\
            7f20-7f30 ---p 00000000 00:00 0 \nSwap:  8 kB\nnonsense\n7f40-7f50 r--p 00000000 00:00 0      [vvar]\n";
        let found = parse(text);
        assert_eq!(found.len(), 4);
        let first = &found[0];
        assert_eq!((first.start, first.end, first.rights, first.offset), (0x55d0, 0x55f0, 5, 0x1000));
        assert_eq!(first.name, b"/a b/ring\nx");
        assert!(first.has_file && first.has_own_pages && first.flags.is_not_dumped && !first.is_shared);
        let second = &found[1];
        assert!(second.is_shared && second.has_file && !second.has_own_pages && second.is_unlinked());
        assert!(second.flags.has_huge_pages && second.flags.is_device && !second.flags.is_not_dumped);
        assert!(!found[2].has_file && found[2].has_own_pages && found[2].rights == 0);
        assert_eq!((found[3].name.as_slice(), found[3].has_file), (&b"[vvar]"[..], false));
        assert_eq!(parse(b""), []);
    }

    #[test]
    fn the_own_mappings_have_a_stack() {
        let own = read(std::process::id() as i32);
        let stack = own.iter().find(|mapping| mapping.name == b"[stack]").unwrap();
        assert!(stack.has_own_pages && stack.rights & 6 == 6 && !stack.has_file);
        assert_eq!(read(i32::MAX), []);
    }
}
