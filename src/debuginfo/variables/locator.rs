//! Variables of a frame, and their places.

use super::constants::{constant, padded, value_bytes};
use super::thread_locals;
use crate::dwarf::debug_info::DebugInformation;
use crate::dwarf::entry::Attribute;
use crate::dwarf::entry::Entry;
use crate::dwarf::entry::EntryId;
use crate::dwarf::entry::Slice;
use crate::dwarf::expression::{EvaluationFault, Evaluator, Passed, location_at};
use crate::dwarf::unit::Unit;
use crate::frame::scope::FrameScope;
use crate::images::loaded::{LoadedImage, LoadedImages};
use crate::types::description::{NamedValue, Place, TypeId, TypeRef};
use crate::types::reader::{TypeReader, no_bound};
use crate::unwind::caller::{lookup_address, unwind_one};
use crate::unwind::registers::{FS_BASE, RIP, Registers};
use crate::unwind::stack::StackFrame;
use crate::unwind::tail_calls::{between, called_by_code};
use crate::unwind::thread_access::ThreadAccess;
use gimli::{Location, Piece};
use model::{FileAddress, VirtualAddress};
use std::sync::Arc;

/// Computes the places of variables.
#[derive(Clone, Copy)]
pub(crate) struct Locator<'a> {
    pub(crate) images: &'a LoadedImages,
    pub(crate) loaded: &'a LoadedImage,
    pub(crate) debug: &'a DebugInformation,
    pub(crate) thread: &'a dyn ThreadAccess,
    /// The base for thread-local variables.
    pub(crate) thread_pointer: Option<u64>,
    /// `None` for variables outside functions.
    pub(crate) frame: Option<&'a FrameScope<'a>>,
    /// The address of the value whose bounds are being computed.
    pub(crate) object: Option<u64>,
    /// The number of callers queried so far.
    pub(crate) depth: u32,
    /// True if the instructions before an indirect call may tell which function it calls, where no call site does.
    pub(crate) reads_code: bool,
}

/// The limit on callers queried in a chain for the arguments they passed.
const DEEPEST: u32 = 16;

impl Locator<'_> {
    /// Returns the variable, parameter, enumerator or function that an entry describes.
    pub(crate) fn value(&self, unit: &Unit, entry: &Entry) -> Option<NamedValue> {
        let id = EntryId { unit: unit.index, offset: entry.offset() };
        let name: Arc<str> = String::from_utf8_lossy(self.debug.base_name(id)?).into();
        let reader = TypeReader { debug: self.debug, image: self.loaded.image.index(), bound: &no_bound };
        if entry.tag() == gimli::DW_TAG_subprogram {
            let ty = TypeRef::Entry(TypeId { image: reader.image, entry: self.debug.offset_of(id) });
            let mut ranges = Vec::new();
            self.debug.ranges_of(unit, entry, &mut ranges);
            let first = ranges.first()?.start;
            return Some(NamedValue {
                name,
                ty,
                place: Ok(Place::Memory(self.loaded.bias.loaded(FileAddress(first)))),
            });
        }
        if self.debug.is_discarded(id) {
            return None;
        }
        let ty = reader.target(unit, entry);
        let copied = if self.debug.inherited(id, gimli::DW_AT_external).is_some() { self.copied(&name) } else { None };
        let place = copied.map_or_else(|| self.place(unit, entry, &ty), Ok);
        let (ty, place) = self.measured(ty, place);
        Some(NamedValue { name, ty, place })
    }

    /// Returns the type that an entry refers to; for a function, the return type.
    pub(crate) fn target(&self, unit: &Unit, entry: &Entry) -> TypeRef {
        TypeReader { debug: self.debug, image: self.loaded.image.index(), bound: &no_bound }.target(unit, entry)
    }

    /// Returns the program's copy of a library's variable, which all files use (`R_X86_64_COPY`).
    fn copied(&self, name: &str) -> Option<Place> {
        let program = self.images.executable().filter(|program| program.image.index() != self.loaded.image.index())?;
        let symbols = program.image.symbols().named(name);
        let symbol = symbols.into_iter().find(|symbol| symbol.is_global && !symbol.is_function && symbol.size > 0)?;
        Some(Place::Memory(program.bias.loaded(symbol.address)))
    }

    pub(crate) fn place(&self, unit: &Unit, entry: &Entry, ty: &TypeRef) -> Result<Place, String> {
        let size = || self.loaded.image.types().size_of(ty);
        let id = EntryId { unit: unit.index, offset: entry.offset() };
        if let Some((unit, value)) = self.debug.inherited(id, gimli::DW_AT_const_value) {
            return Ok(constant(self.debug, unit, value, size()));
        }
        let Some((unit, value)) = self.debug.inherited(id, gimli::DW_AT_location) else {
            // An external variable without a location is found by its symbol.
            let external = self.debug.inherited(id, gimli::DW_AT_external).is_some();
            let name = self.debug.base_name(id).filter(|_| external && self.frame.is_none());
            let symbol = name.and_then(|name| self.loaded.image.symbol(std::str::from_utf8(name).ok()?));
            let place = symbol.map(|address| Place::Memory(self.loaded.bias.loaded(address)));
            return Ok(place.unwrap_or(Place::OptimizedOut));
        };
        let expression = match self.expression(unit, value) {
            Ok(Some(expression)) => expression,
            Ok(None) => return Ok(Place::OptimizedOut),
            Err(()) => return Err("its location is damaged".into()),
        };
        if expression.0.is_empty() {
            return Ok(Place::OptimizedOut);
        }
        match self.evaluate(unit, expression, None) {
            Ok(pieces) => self.place_of(&pieces, ty),
            Err(EvaluationFault::Unavailable) => Ok(Place::OptimizedOut),
            Err(fault) => Err(described(&fault)),
        }
    }

    /// Returns the location expression that applies at the program counter.
    pub(crate) fn expression(&self, unit: &Unit, value: Attribute) -> Result<Option<gimli::Expression<Slice>>, ()> {
        location_at(self.debug, unit, value, self.frame.map(|frame| frame.address()))
    }

    pub(crate) fn evaluate(
        &self,
        unit: &Unit,
        expression: gimli::Expression<Slice>,
        initial: Option<u64>,
    ) -> Result<Vec<Piece<Slice>>, EvaluationFault> {
        self.with_evaluator(unit, |evaluator| evaluator.run(expression, unit.dwarf.encoding(), initial))
    }

    pub(crate) fn with_evaluator<T>(&self, unit: &Unit, run: impl FnOnce(&Evaluator<'_>) -> T) -> T {
        let none = Registers::new();
        let registers = self.frame.map_or(&none, |frame| frame.registers());
        let thread_register = |number: u16| {
            let bytes = self.thread.register(number).filter(|_| number > RIP)?;
            bytes.first_chunk::<8>().map(|word| u64::from_le_bytes(*word))
        };
        let thread_local = |offset: u64| {
            let pointer = self.thread_pointer.or_else(|| thread_register(FS_BASE));
            let pointer = pointer.ok_or(EvaluationFault::Unavailable)?;
            let memory = ThreadMemory(self.thread);
            let address = thread_locals::address(self.images, self.loaded, pointer, offset, &memory);
            address.map(|address| address.0).map_err(EvaluationFault::Elsewhere)
        };
        run(&Evaluator {
            registers,
            thread_register: &thread_register,
            memory: &ThreadMemory(self.thread),
            bias: self.loaded.bias,
            cfa: self.frame.and_then(|frame| frame.cfa()),
            object: self.object,
            frame_base: &|| self.frame_base(),
            thread_local: &thread_local,
            entry_value: &|passed| self.entry_value(unit, passed),
            unit: Some((self.debug, unit)),
            at: self.frame.map(|frame| frame.address()),
        })
    }

    /// Returns a value as passed on entry to the function, if the caller's call site describes it (DWARF 5, 3.4);
    /// `callee` is the unit of the function.
    fn entry_value(&self, callee: &Unit, passed: Passed) -> Result<gimli::Value, EvaluationFault> {
        let unavailable = EvaluationFault::Unavailable;
        let frame = self.frame.filter(|_| self.depth < DEEPEST).ok_or(unavailable.clone())?;
        let caller = self.caller(frame).ok_or(unavailable.clone())?;
        let return_address = caller.registers.pc().ok_or(unavailable.clone())?;
        let (loaded, address) = self.images.locate(lookup_address(return_address, false)).ok_or(unavailable.clone())?;
        let (debug, _, _) = loaded.image.span_at(address).ok_or(unavailable.clone())?;
        let scope = FrameScope::of(loaded, &caller).ok_or(unavailable.clone())?;
        let unit = scope.unit();
        let site = unit.call_sites(debug).at(loaded.bias.unloaded(return_address)).ok_or(unavailable.clone())?;
        let locator = Locator { loaded, debug, frame: Some(&scope), depth: self.depth + 1, ..*self };
        let called = match site.target {
            Some(target) => debug.base_name(target) == Some(frame.function_name()),
            None => {
                let target = site.target_expression(unit).and_then(|target| locator.address_of(unit, target));
                let by_code = || called_by_code(self.images, &caller.registers, &ThreadMemory(self.thread));
                target.or_else(|| self.reads_code.then(by_code).flatten()) == Some(frame.entry())
            }
        };
        if !called {
            return Err(unavailable);
        }
        let value = match passed {
            Passed::In(register) => site.parameter_in(unit, register),
            // A parameter's entry can be referred to only within one file.
            Passed::For(_) if !std::ptr::eq(debug, self.debug) => None,
            Passed::For(offset) => site.parameter_for(debug, unit, EntryId { unit: callee.index, offset }),
        };
        let value = value.ok_or(unavailable)?;
        locator.with_evaluator(unit, |evaluator| evaluator.value(value, unit.dwarf.encoding(), None))
    }

    /// Returns the frame that called a frame, or was replaced by it in a tail call.
    fn caller(&self, frame: &FrameScope<'_>) -> Option<StackFrame> {
        let memory = ThreadMemory(self.thread);
        let left = |registers: &Registers, interrupted: bool| {
            unwind_one(self.images, registers, interrupted, &memory).ok().flatten().filter(|caller| !caller.signal)
        };
        let made = |registers: Registers| {
            let above = left(&registers, false);
            StackFrame::bare(&registers, above.map(|above| above.cfa), Vec::new())
        };
        match frame.given_up_to() {
            [] => {}
            [place] => return Some(made(frame.registers().at(*place))),
            [place, above @ ..] => {
                return Some(StackFrame::bare(&frame.registers().at(*place), frame.cfa(), above.to_vec()));
            }
        }
        let caller = left(frame.registers(), frame.interrupted())?;
        let return_address = caller.registers.pc()?;
        let (pc, interrupted) = (frame.registers().pc()?, frame.interrupted());
        let mut places = between(self.images, pc, interrupted, &caller.registers, &memory);
        if places.is_empty() {
            return Some(made(caller.registers));
        }
        let registers = caller.registers.at(places.remove(0));
        places.push(return_address);
        Some(StackFrame::bare(&registers, Some(caller.cfa), places))
    }

    /// Evaluates an expression of the frame to an address.
    pub(crate) fn address_of(&self, unit: &Unit, expression: gimli::Expression<Slice>) -> Option<VirtualAddress> {
        let encoding = unit.dwarf.encoding();
        self.with_evaluator(unit, |evaluator| evaluator.number(expression, encoding, None)).ok().map(VirtualAddress)
    }

    /// Computes the base of `DW_OP_fbreg` from the function's expression.
    pub(crate) fn frame_base(&self) -> Result<u64, EvaluationFault> {
        let frame = self.frame.ok_or(EvaluationFault::Unavailable)?;
        let (unit, function) = frame.function();
        let value = function.attr_value(gimli::DW_AT_frame_base).ok_or(EvaluationFault::Damaged)?;
        let expression = self.expression(unit, value).map_err(|()| EvaluationFault::Damaged)?;
        let expression = expression.ok_or(EvaluationFault::Unavailable)?;
        // A frame base relative to itself would recurse forever.
        let none = Registers::new();
        let registers = self.frame.map_or(&none, |frame| frame.registers());
        let evaluator = Evaluator {
            registers,
            thread_register: &|_| None,
            memory: &ThreadMemory(self.thread),
            bias: self.loaded.bias,
            cfa: frame.cfa(),
            object: None,
            frame_base: &crate::dwarf::expression::no_frame_base,
            thread_local: &crate::dwarf::expression::no_thread_local,
            entry_value: &crate::dwarf::expression::no_entry_value,
            unit: Some((self.debug, unit)),
            at: Some(frame.address()),
        };
        evaluator.number(expression, unit.dwarf.encoding(), None)
    }

    fn place_of(&self, pieces: &[Piece<Slice>], ty: &TypeRef) -> Result<Place, String> {
        let size = self.loaded.image.types().size_of(ty);
        match pieces {
            [] => Ok(Place::OptimizedOut),
            [piece] if piece.size_in_bits.is_none() => self.single(&piece.location, size),
            pieces => {
                let whole = |piece: &Piece<Slice>| {
                    piece.size_in_bits.is_none_or(|bits| bits % 8 == 0)
                        && piece.bit_offset.is_none_or(|offset| offset == 0)
                };
                if !pieces.iter().all(whole) {
                    return self.place_of_bits(pieces, ty);
                }
                let mut places = Vec::with_capacity(pieces.len());
                for piece in pieces {
                    let bits = piece.size_in_bits.unwrap_or(0);
                    let place = match self.single(&piece.location, Some(bits / 8))? {
                        Place::OptimizedOut => None,
                        place => Some(place),
                    };
                    places.push((place, bits / 8));
                }
                if places.iter().all(|(place, _)| place.is_none()) {
                    return Ok(Place::OptimizedOut);
                }
                Ok(Place::Pieces(places))
            }
        }
    }

    /// Assembles a value whose bit-fields the compiler placed separately; it can be read but not changed. A byte is
    /// missing if one of its bits is, except for padding between members.
    fn place_of_bits(&self, pieces: &[Piece<Slice>], ty: &TypeRef) -> Result<Place, String> {
        let mut bits: Vec<Option<bool>> = Vec::new();
        for piece in pieces {
            let size = piece.size_in_bits.unwrap_or(0).min(1 << 16) as usize;
            let offset = piece.bit_offset.unwrap_or(0).min(1 << 16) as usize;
            let place = self.single(&piece.location, Some(((offset + size) as u64).div_ceil(8)))?;
            let bytes = self.read_place(&place, (offset + size).div_ceil(8));
            bits.extend((offset..offset + size).map(|bit| {
                let byte = bytes.as_ref().and_then(|bytes| bytes.get(bit / 8))?;
                Some(byte >> (bit % 8) & 1 == 1)
            }));
        }
        let used = self.loaded.image.types().bits_of_members(ty);
        for (index, bit) in bits.iter_mut().enumerate() {
            if bit.is_none() && used.as_ref().is_some_and(|used| !used.iter().any(|range| range.contains(&index))) {
                *bit = Some(false);
            }
        }
        let byte = |bits: &[Option<bool>]| {
            let mut byte = 0;
            for (index, bit) in bits.iter().enumerate() {
                byte |= u8::from((*bit)?) << index;
            }
            Some(byte)
        };
        let bytes: Vec<Option<u8>> = bits.chunks(8).map(byte).collect();
        if bytes.iter().all(Option::is_none) {
            return Ok(Place::OptimizedOut);
        }
        let runs = bytes.chunk_by(|left, right| left.is_some() == right.is_some());
        let places = runs.map(|run| {
            let known: Option<Vec<u8>> = run.iter().copied().collect();
            (known.map(Place::Bytes), run.len() as u64)
        });
        Ok(Place::Pieces(places.collect()))
    }

    pub(crate) fn read_place(&self, place: &Place, size: usize) -> Option<Vec<u8>> {
        match place {
            Place::Memory(address) => {
                let mut bytes = vec![0; size];
                self.thread.read(*address, &mut bytes).ok()?;
                Some(bytes)
            }
            Place::Bytes(known) => known.get(..size).map(<[u8]>::to_vec),
            Place::Register(number) => {
                let kept = self.frame.and_then(|frame| frame.registers().get(*number));
                let bytes = kept.map(|value| value.to_le_bytes().to_vec()).or_else(|| self.thread.register(*number))?;
                bytes.get(..size).map(<[u8]>::to_vec)
            }
            Place::Past(..) | Place::Convenience(..) => None,
            Place::Pieces(_) | Place::Synthetic(..) | Place::OptimizedOut => None,
        }
    }

    pub(crate) fn single(&self, location: &Location<Slice>, size: Option<u64>) -> Result<Place, String> {
        let length = |bytes: usize| size.map_or(bytes, |size| bytes.min(usize::try_from(size).unwrap_or(bytes)));
        Ok(match location {
            Location::Empty => Place::OptimizedOut,
            Location::Address { address } => Place::Memory(VirtualAddress(*address)),
            Location::Register { register } => {
                let known = self.frame.is_some_and(|frame| frame.registers().get(register.0).is_some());
                // The frame knows the general registers; the thread knows the others.
                if known || register.0 > RIP { Place::Register(register.0) } else { Place::OptimizedOut }
            }
            Location::Value { value } => {
                let bytes = value_bytes(*value);
                Place::Bytes(padded(&bytes, length(bytes.len()), size))
            }
            Location::Bytes { value } => {
                let bytes = value.slice();
                Place::Bytes(padded(bytes, length(bytes.len()), size))
            }
            Location::ImplicitPointer { value, byte_offset } => {
                // The target may be an implicit pointer itself, and so on.
                let locator = Locator { depth: self.depth + 1, ..*self };
                let part = self.frame.map_or(0, |frame| frame.function().0.part);
                let target = self.debug.entry_in(part, value.0 as u64).filter(|_| self.depth < DEEPEST);
                let Some((unit, entry)) = target.and_then(|id| self.debug.entry(id)) else {
                    return Ok(Place::OptimizedOut);
                };
                let ty = TypeReader { debug: self.debug, image: self.loaded.image.index(), bound: &no_bound };
                let place = locator.place(unit, &entry, &ty.target(unit, &entry))?;
                Place::Synthetic(Box::new(place), *byte_offset as u64)
            }
        })
    }
}

pub(crate) struct ThreadMemory<'a>(pub(crate) &'a dyn ThreadAccess);

impl crate::unwind::thread_access::ReadMemory for ThreadMemory<'_> {
    fn read(&self, address: VirtualAddress, into: &mut [u8]) -> Result<(), crate::types::description::MemoryFault> {
        self.0.read(address, into)
    }
}

fn described(fault: &EvaluationFault) -> String {
    match fault {
        EvaluationFault::Memory(fault) => fault.to_string(),
        EvaluationFault::Unavailable => "optimized out".into(),
        EvaluationFault::Unsupported(what) => format!("its location uses {what}, which is not supported"),
        EvaluationFault::Elsewhere(why) => why.clone(),
        EvaluationFault::Damaged => "its location is damaged".into(),
    }
}
