//! Where the program proper begins.

use crate::demangle::symbol::{demangle, is_mangled_by_rustc};
use crate::dwarf::debug_info::DebugInformation;
use crate::dwarf::unit::Unit;
use crate::images::image::Image;
use crate::images::store::SymbolStore;
use gimli::Section as _;
use model::FileAddress;
use std::path::Path;
use std::sync::Arc;

/// The name of a main program in Fortran or Rust, where the compiler makes a `main` that calls it.
pub fn name_of_main_program(path: &Path) -> Option<Arc<str>> {
    let image = SymbolStore::new().open(path).ok()?;
    Some(image.function_at(image.entry_points().called_by_main()?)?.name)
}

/// Where the program begins.
#[derive(Clone, Copy)]
pub struct EntryPoints<'a> {
    image: &'a Image,
}

impl Image {
    /// Where the program begins that this is, if it is one.
    pub fn entry_points(&self) -> EntryPoints<'_> {
        EntryPoints { image: self }
    }
}

impl EntryPoints<'_> {
    /// Where `main` is entered: by its symbol, or in a stripped program by what `_start` hands to the C library.
    pub fn main_function(&self) -> Option<FileAddress> {
        *self.image.main.get_or_init(|| {
            let by_name = self.image.symbols().exactly("main").filter(|symbol| symbol.is_function);
            by_name.map(|symbol| symbol.address).or_else(|| {
                let start = self.image.file().entry();
                main_of_start(start, self.image.file().bytes_at(start)?)
                    .filter(|main| self.image.file.is_executable(*main))
            })
        })
    }

    /// Where the program proper is entered: in Fortran and Rust `main` is the compiler's.
    pub(crate) fn main_program(&self) -> Option<FileAddress> {
        self.called_by_main().or_else(|| self.main_function())
    }

    /// The main program of one in Fortran or Rust, which the compiler's `main` calls.
    pub fn called_by_main(&self) -> Option<FileAddress> {
        main_of_fortran(self.image).or_else(|| main_of_rust(self.image, self.main_function()?))
    }
}

fn main_of_fortran(image: &Image) -> Option<FileAddress> {
    let described = image.debug().and_then(described_main).filter(|main| image.file.is_executable(*main));
    described.or_else(|| named_main(image))
}

fn named_main(image: &Image) -> Option<FileAddress> {
    let symbols = MAIN_PROGRAMS.iter().filter_map(|name| image.symbols().exactly(name));
    let mut functions = symbols.filter(|symbol| symbol.is_function && image.file.is_executable(symbol.address));
    functions.next().map(|symbol| symbol.address)
}

/// The function whose address the `main` of a program in Rust hands to the library.
fn main_of_rust(image: &Image, main: FileAddress) -> Option<FileAddress> {
    let code = image.file().bytes_at(main)?;
    let code = code.get(..LONGEST_SHIM).unwrap_or(code);
    addresses_taken(main, code).find(|target| {
        let symbol = image.symbols().covering(*target).filter(|symbol| symbol.address == *target);
        symbol.is_some_and(|symbol| is_mangled_by_rustc(symbol.name) && demangle(symbol.name).ends_with("::main"))
    })
}

/// The main program as debug information marks it (DWARF 5, 3.3.1, `DW_AT_main_subprogram`).
fn described_main(debug: &DebugInformation) -> Option<FileAddress> {
    let abbreviations = debug.parts().own()?.debug_abbrev.reader().slice();
    // Most files have no such thing, and need not be walked through: its number and its form, which is a flag.
    if !abbreviations.windows(2).any(|pair| matches!(pair, [0x6a, 0x0c | 0x19])) {
        return None;
    }
    debug.units().filter(|unit| unit.language.marks_main_program()).find_map(|unit| marked_main(debug, unit))
}

fn marked_main(debug: &DebugInformation, unit: &Unit) -> Option<FileAddress> {
    let mut root = unit.dwarf.entries();
    let root = root.next_dfs().ok()??.clone();
    let mut main = None;
    unit.for_each_child(&root, |child| {
        let marked = child.attr_value(gimli::DW_AT_main_subprogram);
        if main.is_none() && matches!(marked, Some(gimli::AttributeValue::Flag(true))) {
            let mut ranges = Vec::new();
            debug.ranges_of(unit, child, &mut ranges);
            main = ranges.first().map(|range| FileAddress(range.start));
        }
    });
    main
}

/// The main program as gfortran and ifort, flang, and nvfortran call it.
const MAIN_PROGRAMS: [&str; 3] = ["MAIN__", "_QQmain", "MAIN_"];
/// Bytes of the `main` that the compiler makes, at most.
const LONGEST_SHIM: usize = 128;

/// The addresses that code computes from its own: `lea x(%rip),%r64`.
fn addresses_taken(start: FileAddress, code: &[u8]) -> impl Iterator<Item = FileAddress> {
    code.windows(7).enumerate().filter_map(move |(at, bytes)| match bytes {
        [0x48, 0x8d, register, displacement @ ..] if register & 0xc7 == 0x05 => {
            let displacement = i32::from_le_bytes(*displacement.first_chunk()?);
            Some(FileAddress(start.0.wrapping_add(at as u64 + 7).wrapping_add_signed(i64::from(displacement))))
        }
        _ => None,
    })
}

/// The function whose address `_start` puts into the first argument of `__libc_start_main`: `lea x(%rip),%rdi` or
/// `mov $x,%rdi`.
fn main_of_start(start: FileAddress, code: &[u8]) -> Option<FileAddress> {
    let code = code.get(..64)?;
    let operand = |at: usize| code.get(at + 3..)?.first_chunk::<4>().map(|bytes| i32::from_le_bytes(*bytes));
    code.windows(3).enumerate().find_map(|(at, opcode)| match opcode {
        [0x48, 0x8d, 0x3d] => {
            Some(FileAddress(start.0.wrapping_add(at as u64 + 7).wrapping_add_signed(i64::from(operand(at)?))))
        }
        [0x48, 0xc7, 0xc7] => Some(FileAddress(operand(at)? as u64)),
        _ => None,
    })
}
