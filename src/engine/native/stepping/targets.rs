//! The first line of a function, the target of a stub and the instructions of a line.

use crate::native::inspect::inferior::Inferior;
use crate::native::ptrace::Tid;
use crate::native::stepping::stepper::Stepping;
use debuginfo::LoadedImage;
use model::{FileAddress, VirtualAddress};
use std::ops::Range;

/// The target of a stub that has not been bound yet.
#[derive(Clone, Copy, Debug)]
pub(in crate::native) struct Unbound {
    pub(in crate::native) address: u64,
    /// True if it is the resolver of an indirect function (`STT_GNU_IFUNC`).
    pub(in crate::native) resolves: bool,
}

impl Inferior {
    /// Returns the first line's address, after the prologue, of a function entered here; `None` if it has no lines.
    pub(in crate::native) fn first_line(&self, entry: u64) -> Option<u64> {
        let (loaded, at) = self.images().locate(VirtualAddress(entry))?;
        let function = loaded.image.function_at(at).filter(|function| function.described)?;
        let after = if function.entry == at { loaded.image.stepped_into(at) } else { at };
        loaded.image.line_at(after).filter(|row| row.place.line != 0)?;
        Some(loaded.bias.loaded(after).0)
    }

    /// Returns the function that the linker was called to resolve: the stub pushed the number of the relocation and the
    /// `struct link_map` (System V ABI, AMD64 supplement, 5.2).
    pub(in crate::native) fn unbound_target(&mut self, tid: Tid) -> Option<Unbound> {
        const DT_STRTAB: u64 = 5;
        const DT_SYMTAB: u64 = 6;
        const DT_JMPREL: u64 = 23;
        let sp = self.process.registers(tid).ok()?.rsp;
        let memory = self.process.memory();
        let word = |address: u64| memory.word(address).ok();
        let (map, index) = (word(sp)?, word(sp.wrapping_add(8))?);
        let dynamic = word(map.wrapping_add(16))?;
        let entry = |tag: u64| {
            (0..256)
                .map(|i| dynamic.wrapping_add(i * 16))
                .take_while(|at| word(*at).is_some_and(|found| found != 0))
                .find(|at| word(*at) == Some(tag))
                .and_then(|at| word(at.wrapping_add(8)))
        };
        let relocation = entry(DT_JMPREL)?.wrapping_add(index.wrapping_mul(24));
        let symbol = word(relocation.wrapping_add(8))? >> 32;
        let name = word(entry(DT_SYMTAB)?.wrapping_add(symbol * 24))? & 0xffff_ffff;
        let name = memory.text(entry(DT_STRTAB)?.wrapping_add(name), 4096).ok()?;
        self.images().iter().find_map(|loaded| {
            let defined = loaded.image.defined(&name)?;
            Some(Unbound { address: loaded.bias.loaded(defined.address).0, resolves: defined.is_indirect })
        })
    }
}

impl Stepping {
    /// True if a function other than the stepped one begins here, or a stub.
    pub(in crate::native) fn is_entry(&self, loaded: &LoadedImage, at: FileAddress) -> bool {
        loaded.image.file().is_plt(at)
            || loaded.image.function_at(at).is_some_and(|function| {
                function.entry == at
                    && self.stepper.as_ref().and_then(|stepper| stepper.function)
                        != Some(loaded.bias.loaded(function.entry).0)
            })
    }
}

pub(in crate::native) fn loaded_range(loaded: &LoadedImage, range: &Range<FileAddress>) -> Range<u64> {
    loaded.bias.loaded(range.start).0..loaded.bias.loaded(range.end).0
}

/// Returns the instructions of a line, without those of functions inlined there unless `at` is in them too.
pub(in crate::native) fn line_ranges(
    loaded: &LoadedImage,
    at: FileAddress,
    row: &Range<FileAddress>,
) -> Vec<Range<u64>> {
    let ranges = loaded.image.stepping_ranges(at);
    if ranges.is_empty() {
        return vec![loaded_range(loaded, row)];
    }
    let depth = |at| loaded.image.inline_count(at);
    let here = depth(at);
    let own = ranges.iter().filter(|range| range.contains(&at) || depth(range.start) == here);
    own.map(|range| loaded_range(loaded, range)).collect()
}
