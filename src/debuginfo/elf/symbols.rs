//! The symbol tables of an ELF file, searched by address and by name, and the stubs of its procedure linkage table,
//! with gdb's names.

use super::file::{ElfFile, SymbolTable};
use super::mini_debug_info;
use crate::demangle::function_name::FunctionName;
use crate::demangle::rust_names::RustFunction;
use crate::demangle::spelled_out::SpelledOut;
use crate::demangle::symbol::{demangle, demangled_with_parameters, is_mangled_by_rustc};
use crate::images::blocking_reads;
use model::{FileAddress, QUALIFIED};
use object::elf;
use object::read::elf::Sym;
use object::{Endianness, SymbolIndex};
use rustc_hash::{FxHashMap, FxHasher};
use std::hash::Hasher;
use std::ops::Range;
use std::sync::{Arc, OnceLock, PoisonError, RwLock};

/// A symbol that names an address.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Symbol {
    pub(crate) address: FileAddress,
    pub(crate) size: u64,
    pub(crate) name: &'static str,
    pub(crate) is_function: bool,
    /// True for a resolver that returns the function's address (`STT_GNU_IFUNC`).
    pub(crate) is_indirect: bool,
    /// True if other files can see it.
    pub(crate) is_global: bool,
    /// The preference of this name among those at the same address; higher is better.
    rank: u8,
}

/// All symbol tables of a file. Names and sizes stay in the tables, since a server has files of many programs open.
pub(crate) struct ElfSymbols {
    tables: Vec<(SymbolTable, Endianness)>,
    /// Ascending. Of several symbols at one address, the one that gdb shows comes last: the file's own before those of
    /// its separate debug file, and of these the one with the greatest name.
    addresses: Vec<u64>,
    places: Vec<Place>,
    by_name: ByHash,
    /// By unqualified name.
    demangled: OnceLock<ByHash>,
    /// Results of searches through all symbols by unqualified name.
    searched: RwLock<FxHashMap<Box<str>, Box<[u32]>>>,
    stubs: Vec<(FileAddress, &'static str)>,
    /// Slots of the procedure linkage table, by address.
    slots: Vec<(FileAddress, &'static str)>,
    /// The address ranges of the sections, in order.
    sections: Vec<Range<FileAddress>>,
}

/// A symbol's table, its index in the table, and whether it is a function, in one number.
#[derive(Clone, Copy)]
struct Place(u32);

impl Place {
    const FUNCTION: u32 = 1 << 31;
    const TABLE_SHIFT: u32 = 29;
    const INDEX: u32 = (1 << Self::TABLE_SHIFT) - 1;

    /// Returns `None` if the index exceeds the limit of any real table.
    fn new(table: usize, index: SymbolIndex, is_function: bool) -> Option<Self> {
        let index = u32::try_from(index.0).ok().filter(|index| *index <= Self::INDEX)?;
        let table = u32::try_from(table).ok().filter(|table| *table < 4)?;
        Some(Self(index | table << Self::TABLE_SHIFT | if is_function { Self::FUNCTION } else { 0 }))
    }

    fn table(self) -> usize {
        ((self.0 & !Self::FUNCTION) >> Self::TABLE_SHIFT) as usize
    }
}

/// Indexes of symbols by the hashes of their names.
#[derive(Default)]
struct ByHash(Vec<(u32, u32)>);

impl ByHash {
    fn of(mut rows: Vec<(u32, u32)>) -> Self {
        rows.sort_unstable();
        rows.shrink_to_fit();
        Self(rows)
    }

    /// Returns the symbols that may have a name, in order.
    fn candidates(&self, name: &str) -> impl Iterator<Item = usize> {
        let hash = hash(name);
        let rows = self.0.get(self.0.partition_point(|row| row.0 < hash)..).unwrap_or_default();
        rows.iter().take_while(move |row| row.0 == hash).map(|row| row.1 as usize)
    }
}

fn hash(name: &str) -> u32 {
    let mut hasher = FxHasher::default();
    hasher.write(name.as_bytes());
    let wide = hasher.finish();
    (wide ^ (wide >> 32)) as u32
}

/// After this many searches through all names, the table by unqualified name is made.
const MOST_SEARCHES: usize = 32;

/// Bytes of a stub in `.plt` and `.plt.sec`; a stub in `.plt.got` may have 8 or 16.
const STUB: u64 = 16;
const SLOT: u64 = 8;

/// Slots by address: the symbol's name, and true if only the procedure linkage table uses the slot.
type SlotNames = FxHashMap<u64, (&'static str, bool)>;

impl ElfSymbols {
    pub(crate) fn read(file: &ElfFile, debug_file: Option<&ElfFile>) -> Self {
        let (mut all, mut tables, mut own_tables) = (Vec::new(), Vec::new(), 0_u8);
        let packed = mini_debug_info::find(file);
        for (source, kind, own) in [
            (Some(file), elf::SHT_SYMTAB, true),
            (debug_file, elf::SHT_SYMTAB, false),
            (packed.as_ref(), elf::SHT_SYMTAB, false),
            (Some(file), elf::SHT_DYNSYM, true),
        ] {
            if let Some((source, table)) = source.and_then(|source| Some((source, source.symbol_table(kind)?))) {
                if own {
                    own_tables |= 1 << tables.len();
                }
                read_table(source, &table, tables.len(), &mut all);
                tables.push((table, source.endian()));
            }
        }
        let is_own = |place: Place| own_tables & (1 << place.table()) != 0;
        all.sort_by_key(|(symbol, place)| (symbol.address, symbol.name, !is_own(*place)));
        all.dedup_by_key(|(symbol, _)| (symbol.address, symbol.name));
        all.sort_by_key(|(symbol, place)| (symbol.address, is_own(*place), symbol.name));
        let sections = file.sections.iter().map(|section| section.addresses.clone());
        let mut sections: Vec<_> = sections.filter(|range| !range.is_empty()).collect();
        sections.sort_by_key(|range| range.start);
        let slot_names = file.slot_names();
        let by_name = (0..).zip(&all).map(|(index, (symbol, _))| (hash(symbol.name), index)).collect();
        Self {
            tables,
            addresses: all.iter().map(|(symbol, _)| symbol.address.0).collect(),
            places: all.iter().map(|(_, place)| *place).collect(),
            by_name: ByHash::of(by_name),
            demangled: OnceLock::new(),
            searched: RwLock::default(),
            stubs: stubs(file, &slot_names),
            slots: slots(&slot_names),
            sections,
        }
    }

    fn at(&self, index: usize) -> Option<Symbol> {
        let place = *self.places.get(index)?;
        let (table, endian) = self.tables.get(place.table())?;
        let row = table.symbol(SymbolIndex((place.0 & Place::INDEX) as usize)).ok()?;
        symbol(row, table, *endian, |_| place.0 & Place::FUNCTION != 0)
    }

    fn all(&self) -> impl Iterator<Item = (u32, Symbol)> {
        (0..).take(self.places.len()).filter_map(|index| Some((index, self.at(index as usize)?)))
    }

    /// Returns the range of the section that contains an address.
    fn section_of(&self, address: FileAddress) -> Option<&Range<FileAddress>> {
        let end = self.sections.partition_point(|range| range.start <= address);
        self.sections.get(end.checked_sub(1)?).filter(|range| range.contains(&address))
    }

    /// Returns the symbol that covers an address by gdb's rules: the nearest before it in its section that does not end
    /// before it.
    pub(crate) fn covering(&self, address: FileAddress) -> Option<Symbol> {
        let section = self.section_of(address);
        let end = self.addresses.partition_point(|own| *own <= address.0);
        let mut sizeless = None;
        // Nested and sizeless symbols are few, so a symbol further back covers nothing.
        for symbol in (0..end).rev().take(64).filter_map(|index| self.at(index)) {
            if section.is_some_and(|section| !section.contains(&symbol.address)) {
                break;
            }
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

    /// Returns the preferred symbol with exactly this name in the table.
    pub(crate) fn exactly(&self, name: &str) -> Option<Symbol> {
        let same =
            self.by_name.candidates(name).filter_map(|index| self.at(index)).filter(|symbol| symbol.name == name);
        same.reduce(|best, symbol| if symbol.rank > best.rank { symbol } else { best })
    }

    /// Returns the symbols of a name, mangled or not.
    pub(crate) fn named(&self, name: &str) -> Vec<Symbol> {
        if let Some(symbol) = self.exactly(name) {
            return vec![symbol];
        }
        let wanted = FunctionName::parse(name);
        let may_be = self.that_may_be(wanted.base()).into_iter();
        let whole = |symbol: &Symbol| {
            wanted.has_parameters() && demangled_with_parameters(symbol.name).is_some_and(|own| own == name)
        };
        may_be.filter(|symbol| demangle(symbol.name) == name || whole(symbol)).collect()
    }

    /// Returns all functions of a name, mangled or not, each address once.
    pub(crate) fn functions_named(&self, name: &str) -> Vec<Symbol> {
        let plain = name.strip_prefix(QUALIFIED).unwrap_or(name);
        let exactly = self.by_name.candidates(plain).filter_map(|index| self.at(index));
        let mut found: Vec<Symbol> = exactly.filter(|symbol| symbol.name == plain).collect();
        let wanted = FunctionName::parse(name);
        let by_last_name = self.that_may_be(wanted.base());
        found.extend(by_last_name.iter().copied().filter(|symbol| {
            // A function does not begin at its thunks and cold parts.
            let whole = demangled_with_parameters(symbol.name).filter(|whole| !whole.contains("thunk to "));
            !symbol.name.contains(".cold")
                && whole.is_some_and(|whole| FunctionName::parse(&whole).is_meant_by(&wanted))
        }));
        let of_rust = RustFunction::parse(name);
        let by_last_name =
            if of_rust.base() == wanted.base() { by_last_name } else { self.that_may_be(of_rust.base()) };
        let of_rust = |symbol: &Symbol| is_mangled_by_rustc(symbol.name) && of_rust.means(None, Some(symbol.name));
        found.extend(by_last_name.into_iter().filter(of_rust));
        found.retain(|symbol| symbol.is_function);
        found.sort_by_key(|symbol| symbol.address);
        found.dedup_by_key(|symbol| symbol.address);
        found
    }

    /// Returns mangled symbols that may have an unqualified name. All symbols are demangled for names that manglings do
    /// not spell out, or after many searches; a thread that others wait for never does the latter.
    fn that_may_be(&self, base: &str) -> Vec<Symbol> {
        let known = |indices: &[u32]| indices.iter().filter_map(|index| self.at(*index as usize)).collect();
        if let Some(spelled) = SpelledOut::of(base).filter(|_| self.demangled.get().is_none()) {
            let searched = self.searched.read().unwrap_or_else(PoisonError::into_inner);
            if let Some(found) = searched.get(base) {
                return known(found);
            }
            let is_one_of_few = searched.len() < MOST_SEARCHES;
            drop(searched);
            if is_one_of_few || blocking_reads::is_watched() {
                let found = self.all().filter(|(_, symbol)| spelled.may_be(symbol.name)).map(|(index, _)| index);
                let found: Box<[u32]> = found.collect();
                let symbols = known(&found);
                self.searched.write().unwrap_or_else(PoisonError::into_inner).insert(base.into(), found);
                return symbols;
            }
        }
        self.demangled().candidates(base).filter_map(|index| self.at(index)).collect()
    }

    fn demangled(&self) -> &ByHash {
        self.demangled.get_or_init(|| {
            blocking_reads::reads(|| "the demangled names of all symbols".to_owned());
            let rows = self.all().filter_map(|(index, symbol)| {
                let name = demangle(symbol.name);
                (name != symbol.name).then(|| (hash(FunctionName::parse(&name).base()), index))
            });
            ByHash::of(rows.collect())
        })
    }

    pub(crate) fn functions(&self) -> impl Iterator<Item = Symbol> {
        self.of_sort(true)
    }

    /// Returns all symbols of functions, or all others.
    pub(crate) fn of_sort(&self, functions: bool) -> impl Iterator<Item = Symbol> {
        self.all().map(|(_, symbol)| symbol).filter(move |symbol| symbol.is_function == functions)
    }

    /// Returns all stubs with gdb's names.
    pub(crate) fn all_stubs(&self) -> impl Iterator<Item = (FileAddress, String)> {
        self.stubs.iter().map(|(address, target)| (*address, format!("{target}@plt")))
    }

    /// Returns the name of the stub that covers an address, and the offset into it.
    pub(crate) fn stub(&self, address: FileAddress) -> Option<(Arc<str>, u64)> {
        let end = self.stubs.partition_point(|stub| stub.0 <= address);
        let (start, name) = self.stubs.get(end.checked_sub(1)?)?;
        let within = address.0 - start.0;
        (within < STUB).then(|| (format!("{name}@plt").into(), within))
    }

    /// Returns the address of the stub that jumps to a function of another file.
    pub(crate) fn stub_of(&self, name: &str) -> Option<FileAddress> {
        self.stubs.iter().find(|(_, target)| *target == name).map(|(start, _)| *start)
    }

    /// Returns gdb's name of the slot that covers an address, through which a stub jumps, and the offset into it.
    pub(crate) fn slot(&self, address: FileAddress) -> Option<(Arc<str>, u64)> {
        let end = self.slots.partition_point(|slot| slot.0 <= address);
        let (start, name) = self.slots.get(end.checked_sub(1)?)?;
        let within = address.0 - start.0;
        (within < SLOT).then(|| (format!("{name}@got[plt]").into(), within))
    }
}

fn read_table(file: &ElfFile, table: &SymbolTable, number: usize, into: &mut Vec<(Symbol, Place)>) {
    for (index, row) in table.enumerate() {
        let Some(symbol) = symbol(row, table, file.endian(), |address| file.is_executable(address)) else { continue };
        into.extend(Place::new(number, index, symbol.is_function).map(|place| (symbol, place)));
    }
}

/// Reads a symbol that names an address. `executes` decides if one without a type is a function.
fn symbol(
    row: &elf::Sym64<Endianness>,
    table: &SymbolTable,
    endian: Endianness,
    executes: impl Fn(FileAddress) -> bool,
) -> Option<Symbol> {
    let is_function = match row.st_type() {
        elf::STT_FUNC | elf::STT_GNU_IFUNC => true,
        elf::STT_OBJECT | elf::STT_NOTYPE => false,
        _ => return None,
    };
    if row.is_undefined(endian) || row.is_common(endian) || row.is_absolute(endian) {
        return None;
    }
    let name = std::str::from_utf8(row.name(endian, table.strings()).ok()?).ok().filter(|name| !name.is_empty())?;
    let address = FileAddress(row.st_value(endian));
    let untyped = row.st_type() == elf::STT_NOTYPE;
    // Of several names at one address, prefer the one that users write: global, with few leading underscores.
    let underscores = name.bytes().take_while(|byte| *byte == b'_').count().min(3) as u8;
    let rank = (3 - underscores) + if row.is_local() { 0 } else { 4 } + if untyped { 0 } else { 8 };
    Some(Symbol {
        address,
        size: row.st_size(endian),
        name,
        is_function: is_function || (untyped && executes(address)),
        is_indirect: row.st_type() == elf::STT_GNU_IFUNC,
        is_global: !row.is_local(),
        rank,
    })
}

fn slots(names: &SlotNames) -> Vec<(FileAddress, &'static str)> {
    let own = names.iter().filter(|(_, (_, is_own))| *is_own);
    let mut slots: Vec<_> = own.map(|(address, (name, _))| (FileAddress(*address), *name)).collect();
    slots.sort_unstable();
    slots
}

/// Finds the stubs of the procedure linkage table: each jumps through a slot that a relocation fills with a symbol's
/// address.
fn stubs(file: &ElfFile, slots: &SlotNames) -> Vec<(FileAddress, &'static str)> {
    let mut stubs = Vec::new();
    for name in [".plt", ".plt.got", ".plt.sec"] {
        let Some(section) = file.section(name) else { continue };
        let code = file.section_data(name);
        let step = if name == ".plt.got" { 8 } else { STUB as usize };
        for (index, stub) in code.chunks(step).enumerate() {
            let start = section.addresses.start.0.wrapping_add((index * step) as u64);
            // jmp *displacement(%rip), possibly after endbr64 and a bnd prefix.
            let Some(place) = stub.windows(2).position(|pair| pair == [0xff, 0x25]) else { continue };
            let rest = code.get(index * step + place + 2..).and_then(|rest| rest.first_chunk::<4>());
            let Some(displacement) = rest.map(|bytes| i64::from(i32::from_le_bytes(*bytes))) else { continue };
            let slot = start.wrapping_add(place as u64 + 6).wrapping_add_signed(displacement);
            if let Some((target, _)) = slots.get(&slot) {
                stubs.push((FileAddress(start), *target));
            }
        }
    }
    stubs.sort_unstable();
    stubs
}
