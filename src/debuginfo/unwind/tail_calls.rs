//! Functions replaced by a tail call, which have no frame. If the debug information allows only one chain of calls from
//! the called function to the running one, they are shown as in gdb; also where the call was indirect.

use super::caller::lookup_address;
use super::indirect_calls;
use super::registers::Registers;
use super::straight_code::StraightCode;
use super::thread_access::ReadMemory;
use crate::dwarf::debug_info::DebugInformation;
use crate::dwarf::entry::EntryId;
use crate::dwarf::unit::Unit;
use crate::functions::ranges::Span;
use crate::images::loaded::{LoadedImage, LoadedImages};
use model::{FileAddress, VirtualAddress};
use std::ops::Range;

/// The limit on consecutive tail calls in a chain.
const LONGEST_CHAIN: usize = 8;
/// The limit on functions examined before the search gives up.
const MOST_FUNCTIONS: usize = 200;

/// A function with its code.
#[derive(Clone, Copy)]
struct Function<'a> {
    entry: VirtualAddress,
    /// `None` for a function of a library without debug information.
    described: Option<Described<'a>>,
}

/// A function with debug information.
#[derive(Clone, Copy)]
struct Described<'a> {
    loaded: &'a LoadedImage,
    debug: &'a DebugInformation,
    unit: &'a Unit,
    span: Span,
}

impl<'a> Function<'a> {
    fn at(images: &'a LoadedImages, address: VirtualAddress) -> Option<Self> {
        if let Some(described) = Described::at(images, address) {
            return Some(described.function());
        }
        let (loaded, address) = images.locate(address)?;
        Some(Self { entry: loaded.bias.loaded(loaded.image.function_entry(address)?), described: None })
    }

    fn is(&self, other: &Self) -> bool {
        self.entry == other.entry
    }

    /// Finds the code of a function by its entry, which may be a declaration of one elsewhere.
    fn of_entry(images: &'a LoadedImages, near: &Described<'a>, entry: EntryId) -> Option<Self> {
        let debug = near.debug;
        let declaration = debug.declaration(entry);
        let unit = debug.unit(entry.unit)?;
        let in_unit = unit
            .functions(debug)
            .spans()
            .find(|span| debug.declaration(EntryId { unit: unit.index, offset: span.offset }) == declaration);
        if let Some(span) = in_unit {
            return Some(Described { span: *span, unit, ..*near }.function());
        }
        let name = std::str::from_utf8(debug.linkage_name(entry)?).ok()?;
        let own = std::iter::once(near.loaded);
        let mut all = own.chain(images.iter().filter(|other| other.image.index() != near.loaded.image.index()));
        all.find_map(|loaded| {
            let symbol = *loaded.image.symbols().named(name).first()?;
            Self::at(images, loaded.bias.loaded(symbol.address)).filter(|_| symbol.is_function)
        })
    }
}

impl<'a> Described<'a> {
    fn at(images: &'a LoadedImages, address: VirtualAddress) -> Option<Self> {
        let (loaded, address) = images.locate(address)?;
        let (debug, unit, span) = loaded.image.span_at(address)?;
        Some(Self { loaded, debug, unit, span })
    }

    fn id(&self) -> EntryId {
        EntryId { unit: self.unit.index, offset: self.span.offset }
    }

    fn function(self) -> Function<'a> {
        Function { entry: self.loaded.bias.loaded(FileAddress(self.span.entry)), described: Some(self) }
    }

    fn parts(&self) -> impl Iterator<Item = &'a Span> {
        let offset = self.span.offset;
        self.unit.functions(self.debug).spans().filter(move |span| span.offset == offset)
    }

    /// The addresses of the function's code.
    fn code(&self) -> Vec<Range<VirtualAddress>> {
        let loaded = |address| self.loaded.bias.loaded(FileAddress(address));
        self.parts().map(|part| loaded(part.start)..loaded(part.end)).collect()
    }

    /// Returns the function's tail calls: the return address and the target, if known.
    fn tail_calls(&self, images: &'a LoadedImages) -> Vec<(VirtualAddress, Option<Function<'a>>)> {
        let sites = self.unit.call_sites(self.debug);
        self.parts()
            .flat_map(|span| sites.tail_calls(span.start, span.end))
            .map(|site| {
                let target = site.target.and_then(|target| Function::of_entry(images, self, target));
                (self.loaded.bias.loaded(site.return_address), target)
            })
            .collect()
    }
}

/// Returns the places of the tail calls between a frame and the function at its return address, which is the program
/// counter of `caller`, innermost first.
pub(crate) fn between(
    images: &LoadedImages,
    pc: VirtualAddress,
    interrupted: bool,
    caller: &Registers,
    memory: &dyn ReadMemory,
) -> Vec<VirtualAddress> {
    find(images, pc, interrupted, caller, memory).unwrap_or_default()
}

/// Returns the function that an indirect call of optimised code has called, by the instructions before it; `caller` has
/// the registers since.
pub(crate) fn called_by_code(
    images: &LoadedImages,
    caller: &Registers,
    memory: &dyn ReadMemory,
) -> Option<VirtualAddress> {
    let described = Described::at(images, lookup_address(caller.pc()?, false))?;
    if described.unit.call_sites(described.debug).is_empty() {
        return None;
    }
    StraightCode::before(&described.code(), caller, memory)?.target()
}

fn find(
    images: &LoadedImages,
    pc: VirtualAddress,
    interrupted: bool,
    registers: &Registers,
    memory: &dyn ReadMemory,
) -> Option<Vec<VirtualAddress>> {
    let return_address = registers.pc()?;
    let caller = Described::at(images, lookup_address(return_address, false))?;
    let site: FileAddress = caller.loaded.bias.unloaded(return_address);
    // gcc describes no calls through a table.
    let target = caller.unit.call_sites(caller.debug).at(site).and_then(|site| site.target);
    let running = Function::at(images, lookup_address(pc, interrupted))?;
    let called = match target {
        Some(target) => vec![called_by_name(images, &caller, target, &running)?],
        None => {
            let exact = called_by_code(images, registers, memory);
            let targets = exact.map_or_else(|| indirect_calls::targets(registers, memory), |target| vec![target]);
            called_by_address(images, targets)
        }
    };
    if called.iter().any(|called| called.is(&running)) {
        return None;
    }
    let mut search = Search { images, running, looked_at: 0, chains: Vec::new() };
    for called in called {
        search.look(called, &mut Vec::new())?;
    }
    let [chain] = search.chains.as_mut_slice() else { return None };
    chain.reverse();
    Some(std::mem::take(chain))
}

/// Returns the function that a call site names, unless it is the running one.
fn called_by_name<'a>(
    images: &'a LoadedImages,
    caller: &Described<'a>,
    called: EntryId,
    running: &Function<'_>,
) -> Option<Function<'a>> {
    if let Some(running) = running.described {
        // Overloads share a name; their symbols tell them apart.
        let symbols = (caller.debug.linkage_name(called), running.debug.linkage_name(running.id()));
        let overloads = matches!(symbols, (Some(called), Some(running)) if called != running);
        if !overloads && caller.debug.base_name(called) == running.debug.base_name(running.id()) {
            return None;
        }
    }
    Function::of_entry(images, caller, called)
}

/// Returns the functions that begin at some addresses.
fn called_by_address(images: &LoadedImages, addresses: Vec<VirtualAddress>) -> Vec<Function<'_>> {
    let function = |address| Function::at(images, address).filter(|function| function.entry == address);
    addresses.into_iter().filter_map(function).collect()
}

struct Search<'a> {
    images: &'a LoadedImages,
    running: Function<'a>,
    looked_at: usize,
    chains: Vec<Vec<VirtualAddress>>,
}

impl<'a> Search<'a> {
    /// Adds the chains that continue `path` through a function; `None` if there is more than one chain or the search is
    /// too large.
    fn look(&mut self, function: Function<'a>, path: &mut Vec<(VirtualAddress, u64)>) -> Option<()> {
        self.looked_at += 1;
        if self.looked_at > MOST_FUNCTIONS || path.len() >= LONGEST_CHAIN {
            return None;
        }
        // Calls of a function that is not described may be part of the chain, and so may one with an unknown target.
        for (place, target) in function.described?.tail_calls(self.images) {
            let target = target?;
            let entry = target.entry.0;
            if path.iter().any(|(_, before)| *before == entry) {
                continue;
            }
            path.push((place, entry));
            if target.is(&self.running) {
                self.chains.push(path.iter().map(|(place, _)| *place).collect());
            } else {
                self.look(target, path)?;
            }
            path.pop();
            if self.chains.len() > 1 {
                return None;
            }
        }
        Some(())
    }
}
