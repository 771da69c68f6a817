//! Maps addresses to files and their offsets, by the process's map (proc(5)) and the files' program headers, so that
//! ranks at the same place compare equal whatever their load addresses.

use debuginfo::named_file::{self, LONGEST_IMAGE};
use object::read::elf::{ElfFile32, ElfFile64};
use object::{FileKind, Object, ObjectSegment};
use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

#[derive(Clone, Debug, PartialEq, Eq)]
struct Mapping {
    start: u64,
    end: u64,
    /// The offset in the file of the first byte.
    offset: u64,
    path: Arc<str>,
}

#[derive(Clone, Copy, Debug)]
struct Segment {
    offset: u64,
    size: u64,
    address: u64,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct InModule {
    /// `None` if no file is mapped there.
    pub(super) module: Option<Arc<str>>,
    /// The address in that file, or the address itself.
    pub(super) offset: u64,
}

/// The files that are mapped into a process.
#[derive(Debug, Default)]
pub(in crate::gdb) struct Modules {
    pid: Option<i32>,
    /// The mappings last read from `/proc/PID/maps`.
    mappings: Option<Vec<Mapping>>,
    segments: HashMap<Arc<str>, Vec<Segment>>,
}

impl Modules {
    pub(in crate::gdb) fn forget(&mut self) {
        self.mappings = None;
    }

    pub(super) fn process(&self) -> Option<i32> {
        self.pid
    }

    pub(super) fn look_into(&mut self, pid: i32) {
        self.pid = Some(pid);
    }

    pub(super) fn locate(&mut self, address: u64) -> InModule {
        let nowhere = InModule { module: None, offset: address };
        let Some(pid) = self.pid else { return nowhere };
        if self.find(address).is_none() {
            // An unknown address may be in a new mapping.
            self.mappings = Some(read(pid));
        }
        let Some(mapping) = self.find(address) else { return nowhere };
        let in_file = address - mapping.start + mapping.offset;
        let segments = self.segments.entry(mapping.path.clone()).or_insert_with(|| segments_of(&mapping.path));
        let holds = |segment: &&Segment| segment.offset <= in_file && in_file - segment.offset < segment.size;
        match segments.iter().find(holds) {
            Some(segment) => {
                InModule { module: Some(mapping.path), offset: in_file - segment.offset + segment.address }
            }
            None => nowhere,
        }
    }

    /// Returns the load address minus the address in the file.
    pub(in crate::gdb) fn bias(&mut self, path: &str) -> Option<u64> {
        if self.mappings.is_none() {
            self.mappings = Some(read(self.pid?));
        }
        let start = self.mappings.iter().flatten().find(|mapping| *mapping.path == *path)?.start;
        Some(start.wrapping_sub(self.locate(start).offset))
    }

    /// Returns the mapped files with code, in the order of their addresses.
    pub(in crate::gdb) fn paths(&mut self) -> Vec<Arc<str>> {
        let Some(pid) = self.pid else { return Vec::new() };
        let mappings = self.mappings.get_or_insert_with(|| read(pid));
        let mut paths: Vec<Arc<str>> = Vec::new();
        for mapping in mappings {
            if !paths.contains(&mapping.path) {
                paths.push(mapping.path.clone());
            }
        }
        paths
    }

    fn find(&self, address: u64) -> Option<Mapping> {
        let mut mappings = self.mappings.iter().flatten();
        mappings.find(|mapping| (mapping.start..mapping.end).contains(&address)).cloned()
    }
}

fn read(pid: i32) -> Vec<Mapping> {
    let text = std::fs::read_to_string(format!("/proc/{pid}/maps")).unwrap_or_default();
    text.lines().filter_map(mapping).collect()
}

/// Parses `START-END MODE OFFSET DEVICE INODE PATH`; `None` without a file.
fn mapping(line: &str) -> Option<Mapping> {
    let mut rest = line;
    let mut word = || {
        let (word, later) = rest.trim_start().split_once(' ')?;
        rest = later;
        Some(word)
    };
    let (start, end) = word()?.split_once('-')?;
    word()?;
    let offset = u64::from_str_radix(word()?, 16).ok()?;
    word()?;
    word()?;
    let path = rest.trim_start();
    let number = |digits| u64::from_str_radix(digits, 16).ok();
    path.starts_with('/').then_some(Mapping { start: number(start)?, end: number(end)?, offset, path: path.into() })
}

fn segments_of(path: &str) -> Vec<Segment> {
    let Ok(file) = named_file::open(Path::new(path), LONGEST_IMAGE) else { return Vec::new() };
    let data = object::ReadCache::new(file);
    let segments = match FileKind::parse(&data) {
        Ok(FileKind::Elf64) => ElfFile64::<object::Endianness, _>::parse(&data).map(|elf| loadable(&elf)),
        Ok(FileKind::Elf32) => ElfFile32::<object::Endianness, _>::parse(&data).map(|elf| loadable(&elf)),
        _ => return Vec::new(),
    };
    segments.unwrap_or_default()
}

fn loadable<'data>(elf: &impl Object<'data>) -> Vec<Segment> {
    let segment = |segment: &dyn Fn() -> ((u64, u64), u64)| {
        let ((offset, size), address) = segment();
        Segment { offset, size, address }
    };
    elf.segments().map(|s| segment(&|| (s.file_range(), s.address()))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_the_map() {
        let line = "55d4ab000000-55d4ab001000 r-xp 00001000 08:01 131 /opt/a b/app";
        let wanted =
            Mapping { start: 0x55d4_ab00_0000, end: 0x55d4_ab00_1000, offset: 0x1000, path: "/opt/a b/app".into() };
        assert_eq!(mapping(line), Some(wanted));
        for line in ["7ffc-7ffd rw-p 00000000 00:00 0 [stack]", "7ffc-7ffd rw-p 00000000 00:00 0 ", "x", ""] {
            assert_eq!(mapping(line), None);
        }
    }

    #[test]
    fn own_code_is_in_the_own_file() {
        let pid = std::process::id() as i32;
        let mut modules = Modules::default();
        assert_eq!(modules.locate(8).offset, 8);
        modules.look_into(pid);
        let address = lines_of_the_map as *const () as u64;
        let found = modules.locate(address);
        let own = std::env::current_exe().unwrap();
        assert_eq!(found.module.as_deref(), own.to_str());
        assert_eq!(modules.bias(own.to_str().unwrap()), Some(address - found.offset));
        assert_eq!(modules.locate(8), InModule { module: None, offset: 8 });
    }
}
