//! Decides how much of a mapping a core file has: as the kernel does (core(5), "Controlling which mappings are written
//! to the core dump"), but with the zeros of memory that the process has not touched yet.

use super::mappings::CoreMapping;
use crate::process::procfs::witness;

/// Larger memory that was never touched is reserved for later: it is left out, as by the kernel.
const MOST_UNTOUCHED: u64 = 1 << 30;
const PAGE: u64 = 4096;

/// The mask of `/proc/PID/coredump_filter`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct CoredumpFilter(u32);

impl CoredumpFilter {
    const PRIVATE: Self = Self(1);
    const SHARED: Self = Self(1 << 1);
    const PRIVATE_FILE: Self = Self(1 << 2);
    const SHARED_FILE: Self = Self(1 << 3);
    const ELF_HEADERS: Self = Self(1 << 4);
    const PRIVATE_HUGE: Self = Self(1 << 5);
    const SHARED_HUGE: Self = Self(1 << 6);
    /// The kernel's default.
    const USUAL: Self = Self(0x33);

    /// Reads the filter of a process.
    pub(super) fn of(pid: i32) -> Self {
        let text = std::fs::read_to_string(format!("/proc/{}/coredump_filter", witness(pid)));
        text.ok().and_then(|text| u32::from_str_radix(text.trim(), 16).ok()).map_or(Self::USUAL, Self)
    }

    fn has(self, kind: Self) -> bool {
        self.0 & kind.0 != 0
    }
}

/// The part of a mapping that a core file has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Content {
    /// Nothing: a reader knows only that it was there.
    Nothing,
    /// All of it.
    Whole,
    /// All of it; where the process has no page, there are zeros.
    Touched,
    /// The first page, which names the file and its build.
    Header,
}

impl Content {
    /// Returns the number of bytes in the core file.
    pub(super) fn size(self, mapping: &CoreMapping) -> u64 {
        match self {
            Self::Nothing => 0,
            Self::Whole | Self::Touched => mapping.size(),
            Self::Header => mapping.size().min(PAGE),
        }
    }

    /// Decides about a mapping (`vma_dump_size` in the kernel's `fs/coredump.c`). `is_elf` tells whether a mapping begins
    /// with an ELF header.
    pub(super) fn of(mapping: &CoreMapping, filter: CoredumpFilter, is_elf: impl FnOnce() -> bool) -> Self {
        let whole_if = |kind| if filter.has(kind) { Self::Whole } else { Self::Nothing };
        if mapping.name == b"[vdso]" {
            return Self::Whole;
        }
        if mapping.flags.is_not_dumped || mapping.name.starts_with(b"[vvar") {
            return Self::Nothing;
        }
        if mapping.flags.has_huge_pages {
            return whole_if(if mapping.is_shared {
                CoredumpFilter::SHARED_HUGE
            } else {
                CoredumpFilter::PRIVATE_HUGE
            });
        }
        if mapping.flags.is_device {
            return Self::Nothing;
        }
        if mapping.is_shared {
            let kind = if mapping.is_unlinked() { CoredumpFilter::SHARED } else { CoredumpFilter::SHARED_FILE };
            return whole_if(kind);
        }
        if mapping.has_own_pages && filter.has(CoredumpFilter::PRIVATE) {
            return if mapping.has_file { Self::Whole } else { Self::Touched };
        }
        if !mapping.has_file {
            let is_untouched_data = mapping.rights & 2 != 0 && mapping.size() <= MOST_UNTOUCHED;
            let wanted = is_untouched_data && filter.has(CoredumpFilter::PRIVATE);
            return if wanted { Self::Touched } else { Self::Nothing };
        }
        if filter.has(CoredumpFilter::PRIVATE_FILE) {
            return Self::Whole;
        }
        if filter.has(CoredumpFilter::ELF_HEADERS) && mapping.offset == 0 && is_elf() {
            return Self::Header;
        }
        Self::Nothing
    }
}

#[cfg(test)]
mod tests {
    use super::super::mappings::VmFlags;
    use super::*;

    fn mapping(name: &str) -> CoreMapping {
        CoreMapping {
            start: 0x1000,
            end: 0x5000,
            rights: 6,
            has_file: name.starts_with('/'),
            name: name.as_bytes().to_vec(),
            ..CoreMapping::default()
        }
    }

    fn with(name: &str, change: impl FnOnce(&mut CoreMapping)) -> CoreMapping {
        let mut mapping = mapping(name);
        change(&mut mapping);
        mapping
    }

    #[test]
    fn the_usual_filter_takes_data_and_the_beginnings_of_files() {
        let flags = |flags: VmFlags| move |mapping: &mut CoreMapping| mapping.flags = flags;
        let written = |mapping: &mut CoreMapping| mapping.has_own_pages = true;
        let shared = |mapping: &mut CoreMapping| mapping.is_shared = true;
        let not_dumped = VmFlags { is_not_dumped: true, ..VmFlags::default() };
        let device = VmFlags { is_device: true, ..VmFlags::default() };
        let huge = VmFlags { has_huge_pages: true, ..VmFlags::default() };
        for (mapping, content) in [
            (with("", written), Content::Touched),
            (mapping(""), Content::Touched),
            (with("", |mapping| mapping.rights = 0), Content::Nothing),
            (with("", |mapping| mapping.end = mapping.start + MOST_UNTOUCHED + PAGE), Content::Nothing),
            (with("[stack]", written), Content::Touched),
            (with("/lib/libc.so", written), Content::Whole),
            (mapping("/lib/libc.so"), Content::Header),
            (with("/lib/libc.so", |mapping| mapping.offset = PAGE), Content::Nothing),
            (with("/nowhere/shm (deleted)", shared), Content::Whole),
            (with("/dev/shm/x", shared), Content::Nothing),
            (with("", flags(not_dumped)), Content::Nothing),
            (with("/dev/gpu", flags(device)), Content::Nothing),
            (with("/dev/hugepages/x", flags(huge)), Content::Whole),
            (mapping("[vvar]"), Content::Nothing),
            (with("[vdso]", flags(not_dumped)), Content::Whole),
        ] {
            assert_eq!(Content::of(&mapping, CoredumpFilter::USUAL, || true), content, "{mapping:?}");
        }
        assert_eq!(Content::of(&mapping("/etc/passwd"), CoredumpFilter::USUAL, || false), Content::Nothing);
    }

    #[test]
    fn the_filter_of_the_process_decides() {
        let written = with("", |mapping| mapping.has_own_pages = true);
        let shared = with("/dev/shm/x", |mapping| mapping.is_shared = true);
        for (filter, of_written, of_shared, of_file) in [
            (0, Content::Nothing, Content::Nothing, Content::Nothing),
            (8, Content::Nothing, Content::Whole, Content::Nothing),
            (4, Content::Nothing, Content::Nothing, Content::Whole),
            (1, Content::Touched, Content::Nothing, Content::Nothing),
        ] {
            let of = |mapping: &CoreMapping| Content::of(mapping, CoredumpFilter(filter), || true);
            assert_eq!((of(&written), of(&shared), of(&mapping("/a.so"))), (of_written, of_shared, of_file));
        }
        assert_eq!(CoredumpFilter::of(i32::MAX), CoredumpFilter::USUAL);
    }

    #[test]
    fn a_header_is_one_page() {
        assert_eq!(Content::Header.size(&mapping("/a")), PAGE);
        assert_eq!((Content::Whole.size(&mapping("/a")), Content::Nothing.size(&mapping("/a"))), (0x4000, 0));
    }
}
