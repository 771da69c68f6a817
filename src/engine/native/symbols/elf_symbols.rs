//! The symbol tables of an ELF file: addresses to names and names to addresses, and the stubs of its procedure linkage
//! table, named as gdb names them.

use super::cold;
use super::demangle::demangle;
use super::elf_file::ElfFile;
use super::mini;
use crate::model::FileAddress;
use object::elf;
use object::read::elf::Sym;
use rustc_hash::FxHashMap;
use std::sync::{Arc, OnceLock};

/// A row of a symbol table that names a place.
#[derive(Clone, Copy, Debug)]
pub(super) struct Symbol {
    pub(super) address: FileAddress,
    pub(super) size: u64,
    pub(super) name: &'static str,
    pub(super) is_function: bool,
    /// Not the function, but one that says where it is (`STT_GNU_IFUNC`).
    pub(super) is_indirect: bool,
    /// Other files see it.
    pub(super) is_global: bool,
    /// How much the name is preferred to others of the same address.
    rank: u8,
}

/// Both tables of a file.
pub(super) struct ElfSymbols {
    /// By address; of several names of one address the preferred one last.
    by_address: Vec<Symbol>,
    by_name: FxHashMap<&'static str, u32>,
    demangled: OnceLock<FxHashMap<Box<str>, Vec<u32>>>,
    stubs: Vec<(FileAddress, &'static str)>,
}

/// Bytes of a stub in `.plt`, `.plt.sec`; those of `.plt.got` may be 8 or 16.
const STUB: u64 = 16;

impl ElfSymbols {
    pub(super) fn read(file: &ElfFile, debug_file: Option<&ElfFile>) -> Self {
        let mut by_address = Vec::new();
        let packed = mini::find(file);
        for (source, kind) in [
            (Some(file), elf::SHT_SYMTAB),
            (debug_file, elf::SHT_SYMTAB),
            (packed.as_ref(), elf::SHT_SYMTAB),
            (Some(file), elf::SHT_DYNSYM),
        ] {
            if let Some(source) = source {
                read_table(source, kind, &mut by_address);
            }
        }
        by_address.sort_by_key(|symbol| (symbol.address, symbol.rank, symbol.size, symbol.name));
        by_address.dedup_by_key(|symbol| (symbol.address, symbol.name));
        let mut by_name: FxHashMap<&'static str, u32> = FxHashMap::default();
        for (index, symbol) in by_address.iter().enumerate() {
            let better = |known: &u32| by_address.get(*known as usize).is_none_or(|known| known.rank < symbol.rank);
            match by_name.get(symbol.name) {
                Some(known) if !better(known) => {}
                _ => {
                    by_name.insert(symbol.name, index as u32);
                }
            }
        }
        Self { by_address, by_name, demangled: OnceLock::new(), stubs: stubs(file) }
    }

    /// The symbol that covers an address as gdb chooses it: the nearest before it that does not end before it.
    pub(super) fn covering(&self, address: FileAddress) -> Option<&Symbol> {
        let end = self.by_address.partition_point(|symbol| symbol.address <= address);
        let before = self.by_address.get(..end)?;
        let mut sizeless = None;
        // Nested and sizeless symbols are few; looking further than this back would cover nothing.
        for symbol in before.iter().rev().take(64) {
            if symbol.size == 0 {
                sizeless = sizeless.or(Some(symbol));
            } else if address.0 < symbol.address.0.saturating_add(symbol.size) {
                return Some(symbol);
            } else {
                break;
            }
        }
        sizeless
    }

    /// The symbol that has this name in the table.
    pub(super) fn exactly(&self, name: &str) -> Option<&Symbol> {
        self.by_address.get(*self.by_name.get(name)? as usize)
    }

    /// The symbol of a name, mangled or not. Demangling all names is put off until one is asked for that looks so.
    pub(super) fn named(&self, name: &str) -> Vec<&Symbol> {
        if let Some(symbol) = self.exactly(name) {
            return vec![symbol];
        }
        let indices = self.demangled().get(name).map_or(&[][..], Vec::as_slice);
        indices.iter().filter_map(|index| self.by_address.get(*index as usize)).collect()
    }

    fn demangled(&self) -> &FxHashMap<Box<str>, Vec<u32>> {
        self.demangled.get_or_init(|| {
            cold::reads(|| "the demangled names of all symbols".to_owned());
            let mut map: FxHashMap<Box<str>, Vec<u32>> = FxHashMap::default();
            for (index, symbol) in self.by_address.iter().enumerate() {
                let name = demangle(symbol.name);
                if name != symbol.name {
                    map.entry(name.into_owned().into()).or_default().push(index as u32);
                }
            }
            map
        })
    }

    pub(super) fn functions(&self) -> impl Iterator<Item = &Symbol> {
        self.by_address.iter().filter(|symbol| symbol.is_function)
    }

    /// The stub that covers an address: its name, and the distance into it.
    pub(super) fn stub(&self, address: FileAddress) -> Option<(Arc<str>, u64)> {
        let end = self.stubs.partition_point(|stub| stub.0 <= address);
        let (start, name) = self.stubs.get(end.checked_sub(1)?)?;
        let within = address.0 - start.0;
        (within < STUB).then(|| (format!("{name}@plt").into(), within))
    }
}

fn read_table(file: &ElfFile, kind: elf::SectionType, into: &mut Vec<Symbol>) {
    let Some(table) = file.symbol_table(kind) else { return };
    let endian = file.endian();
    for symbol in table.iter() {
        let is_function = match symbol.st_type() {
            elf::STT_FUNC | elf::STT_GNU_IFUNC => true,
            elf::STT_OBJECT | elf::STT_NOTYPE => false,
            _ => continue,
        };
        if symbol.is_undefined(endian) || symbol.is_common(endian) || symbol.is_absolute(endian) {
            continue;
        }
        let Ok(name) = symbol.name(endian, table.strings()) else { continue };
        let Ok(name) = std::str::from_utf8(name) else { continue };
        if name.is_empty() {
            continue;
        }
        let address = FileAddress(symbol.st_value(endian));
        let untyped = symbol.st_type() == elf::STT_NOTYPE;
        let is_function = is_function || (untyped && file.is_executable(address));
        // Of several names of one place the one that users write: seen from outside, with few underscores in front.
        let underscores = name.bytes().take_while(|byte| *byte == b'_').count().min(3) as u8;
        let rank = (3 - underscores) + if symbol.is_local() { 0 } else { 4 } + if untyped { 0 } else { 8 };
        into.push(Symbol {
            address,
            size: symbol.st_size(endian),
            name,
            is_function,
            is_indirect: symbol.st_type() == elf::STT_GNU_IFUNC,
            is_global: !symbol.is_local(),
            rank,
        });
    }
}

/// The stubs of the procedure linkage table: each jumps through a slot that a relocation fills with a symbol's address.
fn stubs(file: &ElfFile) -> Vec<(FileAddress, &'static str)> {
    let slots = file.slot_names();
    let mut stubs = Vec::new();
    for name in [".plt", ".plt.got", ".plt.sec"] {
        let Some(section) = file.section(name) else { continue };
        let code = file.section_data(name);
        let step = if name == ".plt.got" { 8 } else { STUB as usize };
        for (index, stub) in code.chunks(step).enumerate() {
            let start = section.addresses.start.0.wrapping_add((index * step) as u64);
            // jmp *displacement(%rip), perhaps behind endbr64 and a bnd prefix.
            let Some(place) = stub.windows(2).position(|pair| pair == [0xff, 0x25]) else { continue };
            let rest = code.get(index * step + place + 2..).and_then(|rest| rest.first_chunk::<4>());
            let Some(displacement) = rest.map(|bytes| i64::from(i32::from_le_bytes(*bytes))) else { continue };
            let slot = start.wrapping_add(place as u64 + 6).wrapping_add_signed(displacement);
            if let Some(target) = slots.get(&slot) {
                stubs.push((FileAddress(start), *target));
            }
        }
    }
    stubs.sort_unstable();
    stubs
}
