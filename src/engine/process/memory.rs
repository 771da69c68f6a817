//! The memory of a process: process_vm_readv(2) for reading, `/proc/PID/mem` where that fails.

use crate::process::procfs::witness;
use debuginfo::types::MemoryFault;
use model::VirtualAddress;
use nix::sys::uio::{RemoteIoVec, process_vm_readv};
use nix::unistd::Pid;
use std::fs::File;
use std::io::{self, IoSliceMut};
use std::os::unix::fs::FileExt;

/// The raw memory of one address space, including planted breakpoints.
#[derive(Debug)]
pub struct Memory {
    pid: Pid,
    /// Can write even pages that the program may not (proc(5)). Refers to the address space at the time it was opened.
    file: File,
}

impl Memory {
    /// Opens a process's memory; valid until the process executes another program.
    pub fn open(pid: i32) -> io::Result<Self> {
        let pid = witness(pid);
        let file = File::options().read(true).write(true).open(format!("/proc/{pid}/mem"))?;
        Ok(Self { pid: Pid::from_raw(pid), file })
    }

    /// Reads as many bytes as possible from an address.
    pub fn read_some(&self, address: u64, into: &mut [u8]) -> usize {
        let remote = [RemoteIoVec { base: address as usize, len: into.len() }];
        let mut done = process_vm_readv(self.pid, &mut [IoSliceMut::new(into)], &remote).unwrap_or(0);
        while let Some(rest) = into.get_mut(done..).filter(|rest| !rest.is_empty()) {
            match self.file.read_at(rest, address.wrapping_add(done as u64)) {
                Ok(more) if more > 0 => done += more,
                _ => break,
            }
        }
        done
    }

    /// Fills `into`, or returns the first address that cannot be read.
    pub fn read(&self, address: u64, into: &mut [u8]) -> Result<(), MemoryFault> {
        let done = self.read_some(address, into);
        if done == into.len() { Ok(()) } else { Err(MemoryFault(VirtualAddress(address.wrapping_add(done as u64)))) }
    }

    /// Reads several places (address, length) into one buffer by one call; stops at the first unreadable one.
    pub(crate) fn read_parts(&self, places: &[(u64, u64)], into: &mut [u8]) -> usize {
        let remote: Vec<RemoteIoVec> = places
            .iter()
            .map(|(address, length)| RemoteIoVec { base: *address as usize, len: *length as usize })
            .collect();
        process_vm_readv(self.pid, &mut [IoSliceMut::new(into)], &remote).unwrap_or(0)
    }

    /// Reads eight bytes, little endian.
    pub fn word(&self, address: u64) -> Result<u64, MemoryFault> {
        let mut bytes = [0; 8];
        self.read(address, &mut bytes)?;
        Ok(u64::from_le_bytes(bytes))
    }

    /// Reads a text that ends in a zero byte, at most `limit` bytes.
    pub fn text(&self, address: u64, limit: usize) -> Result<String, MemoryFault> {
        let mut text = Vec::new();
        while text.len() < limit {
            // Up to the end of a page at a time: the next may be unmapped.
            let at = address.wrapping_add(text.len() as u64);
            let mut part = vec![0; (4096 - (at % 4096) as usize).min(limit - text.len())];
            self.read(at, &mut part)?;
            match part.iter().position(|byte| *byte == 0) {
                Some(end) => {
                    part.truncate(end);
                    text.append(&mut part);
                    break;
                }
                None => text.append(&mut part),
            }
        }
        Ok(String::from_utf8_lossy(&text).into_owned())
    }

    /// Writes all bytes, read-only pages included, or returns the first address that could not be written.
    pub fn write(&self, address: u64, data: &[u8]) -> Result<(), MemoryFault> {
        let mut done = 0;
        while let Some(rest) = data.get(done..).filter(|rest| !rest.is_empty()) {
            let at = address.wrapping_add(done as u64);
            match self.file.write_at(rest, at) {
                Ok(more) if more > 0 => done += more,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                _ => return Err(MemoryFault(VirtualAddress(at))),
            }
        }
        Ok(())
    }
}

/// A mapping of a process (proc(5), `/proc/PID/maps`).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mapping {
    /// The first address.
    pub start: u64,
    /// The address after the last.
    pub end: u64,
    /// The offset in the mapped file, in bytes.
    pub offset: u64,
    /// True if the pages are executable.
    pub executable: bool,
    /// True if the pages are writable or shared: their content may be data, or belong to other processes, too.
    pub changes: bool,
    /// The file's inode; 0 without a file.
    pub inode: u64,
    /// The file's path, or a word in brackets; empty for anonymous memory.
    pub name: String,
}

/// Returns all mappings of a process in ascending order; empty when it is gone.
pub fn mappings(pid: i32) -> Vec<Mapping> {
    std::fs::read_to_string(format!("/proc/{}/maps", witness(pid)))
        .map(|text| parse_mappings(&text))
        .unwrap_or_default()
}

fn parse_mappings(text: &str) -> Vec<Mapping> {
    text.lines().filter_map(parse_mapping).collect()
}

fn parse_mapping(line: &str) -> Option<Mapping> {
    let mut words = line.splitn(6, ' ');
    let (start, end) = words.next()?.split_once('-')?;
    let rights = words.next()?;
    let offset = words.next()?;
    let inode = words.nth(1)?.parse().ok()?;
    let name = words.next().unwrap_or("").trim_start();
    let hexadecimal = |digits| u64::from_str_radix(digits, 16).ok();
    Some(Mapping {
        start: hexadecimal(start)?,
        end: hexadecimal(end)?,
        offset: hexadecimal(offset)?,
        executable: rights.contains('x'),
        changes: rights.contains('w') || !rights.contains('p'),
        inode,
        name: name.to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mappings_are_read_with_and_without_names() {
        let text = "00400000-00401000 r--p 00000000 fe:00 12 /a b/ring\n\
                    7ffff7fc3000-7ffff7fc5000 r-xp 00001000 00:00 0                          [vdso]\n\
                    7ffff7fc5000-7ffff7fc6000 rw-p 00000000 00:00 0 \n\
                    nonsense\n";
        let found = parse_mappings(text);
        assert_eq!(found.len(), 3);
        assert_eq!((found[0].start, found[0].end, found[0].name.as_str()), (0x40_0000, 0x40_1000, "/a b/ring"));
        assert!(!found[0].executable && found[1].executable);
        assert!(!found[0].changes && !found[1].changes && found[2].changes);
        assert_eq!((found[1].offset, found[1].name.as_str()), (0x1000, "[vdso]"));
        assert_eq!((found[0].inode, found[2].inode, found[2].name.as_str()), (12, 0, ""));
    }

    #[test]
    fn own_memory_can_be_read_up_to_the_first_hole() {
        let data = *b"some bytes\0rest";
        let memory = Memory::open(std::process::id() as i32).unwrap();
        let mut copy = [0; 10];
        memory.read(data.as_ptr() as u64, &mut copy).unwrap();
        assert_eq!(&copy, b"some bytes");
        assert_eq!(memory.text(data.as_ptr() as u64, 100).unwrap(), "some bytes");
        assert_eq!(memory.read(8, &mut copy), Err(MemoryFault(VirtualAddress(8))));
    }
}
