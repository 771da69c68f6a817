//! DWARF expressions (DWARF 5, 2.5), for call frame information and locations of variables.

use super::debug_info::DebugInformation;
use super::entry::EntryId;
use super::entry::Slice;
use super::unit::Unit;
use crate::types::description::MemoryFault;
use crate::unwind::registers::Registers;
use crate::unwind::thread_access::ReadMemory;
use gimli::{EvaluationResult, Piece, Value, ValueType};
use model::{FileAddress, LoadBias, VirtualAddress};

/// The reason an expression has no result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum EvaluationFault {
    /// It reads memory that is inaccessible.
    Memory(MemoryFault),
    /// It needs a register that is unknown in the frame, or a value that is gone.
    Unavailable,
    /// The value has no place, for the given reason.
    Elsewhere(String),
    /// It needs the given unsupported feature.
    Unsupported(&'static str),
    Damaged,
}

/// The limit on operations; a longer run is a loop.
const LONGEST_RUN: u32 = 100_000;

/// `DW_OP_GNU_uninit`.
const UNINITIALIZED: u8 = 0xf0;

/// A value passed by the caller.
#[derive(Clone, Copy)]
pub(crate) enum Passed {
    /// In the register that an expression names.
    In(gimli::Expression<Slice>),
    /// For a parameter in the unit of the expression; the function need not have the value any more.
    For(gimli::UnitOffset),
}

/// Supplies the values that an expression needs.
pub(crate) struct Evaluator<'a> {
    pub(crate) registers: &'a Registers,
    /// Reads registers that frames do not keep.
    pub(crate) thread_register: &'a dyn Fn(u16) -> Option<u64>,
    pub(crate) memory: &'a dyn ReadMemory,
    pub(crate) bias: LoadBias,
    pub(crate) cfa: Option<VirtualAddress>,
    /// The address of the value being described (`DW_OP_push_object_address`).
    pub(crate) object: Option<u64>,
    pub(crate) frame_base: &'a dyn Fn() -> Result<u64, EvaluationFault>,
    pub(crate) thread_local: &'a dyn Fn(u64) -> Result<u64, EvaluationFault>,
    pub(crate) entry_value: &'a dyn Fn(Passed) -> Result<Value, EvaluationFault>,
    /// The unit of the expression, for the types and addresses that it refers to.
    pub(crate) unit: Option<(&'a DebugInformation, &'a Unit)>,
    /// The program counter, to select from location lists.
    pub(crate) at: Option<FileAddress>,
}

/// Returns the location expression that applies at an address: from a location list, the matching one, if any.
pub(crate) fn location_at(
    debug: &DebugInformation,
    unit: &Unit,
    location: gimli::AttributeValue<Slice>,
    at: Option<FileAddress>,
) -> Result<Option<gimli::Expression<Slice>>, ()> {
    match location {
        gimli::AttributeValue::Exprloc(expression) => return Ok(Some(expression)),
        gimli::AttributeValue::Block(block) => return Ok(Some(gimli::Expression(block))),
        _ => {}
    }
    let list = debug.dwarf(unit).ok_or(())?.attr_locations(&unit.dwarf, location).map_err(|_| ())?;
    let (Some(mut list), Some(at)) = (list, at) else { return Ok(None) };
    while let Some(entry) = list.next().map_err(|_| ())? {
        if (entry.range.begin..entry.range.end).contains(&at.0) {
            return Ok(Some(entry.data));
        }
    }
    Ok(None)
}

/// For expressions without a frame base.
pub(crate) fn no_frame_base() -> Result<u64, EvaluationFault> {
    Err(EvaluationFault::Unsupported("a frame base"))
}

/// For expressions without thread-local variables.
pub(crate) fn no_thread_local(_: u64) -> Result<u64, EvaluationFault> {
    Err(EvaluationFault::Unsupported("a thread-local variable"))
}

/// For expressions that must not query the caller.
pub(crate) fn no_entry_value(_: Passed) -> Result<Value, EvaluationFault> {
    Err(EvaluationFault::Unavailable)
}

/// Strips the final mark for a variable without a value yet (`DW_OP_GNU_uninit`); the expression still gives its place.
fn without_mark(expression: gimli::Expression<Slice>, encoding: gimli::Encoding) -> gimli::Expression<Slice> {
    let bytes = expression.0;
    let mut rest = bytes;
    while rest.slice().len() > 1 && gimli::Operation::parse(&mut rest, encoding).is_ok() {}
    if rest.slice() != [UNINITIALIZED] {
        return expression;
    }
    let length = bytes.slice().len().saturating_sub(1);
    gimli::Expression(bytes.range_to(..length))
}

impl Evaluator<'_> {
    /// Evaluates to the pieces of a value; `initial` is pushed first.
    pub(crate) fn run(
        &self,
        expression: gimli::Expression<Slice>,
        encoding: gimli::Encoding,
        initial: Option<u64>,
    ) -> Result<Vec<Piece<Slice>>, EvaluationFault> {
        let mut evaluation = without_mark(expression, encoding).evaluation(encoding);
        evaluation.set_max_iterations(LONGEST_RUN);
        if let Some(object) = self.object {
            evaluation.set_object_address(object);
        }
        if let Some(initial) = initial {
            evaluation.set_initial_value(initial);
        }
        let damaged = |_| EvaluationFault::Damaged;
        let mut state = evaluation.evaluate().map_err(damaged)?;
        loop {
            let next = match state {
                EvaluationResult::Complete => return Ok(evaluation.result()),
                EvaluationResult::RequiresMemory { address, size, base_type, .. } => {
                    let value = self.memory_value(address, size, self.value_type(base_type)?)?;
                    evaluation.resume_with_memory(value)
                }
                EvaluationResult::RequiresRegister { register, base_type } => {
                    let value = self.register(register.0).ok_or(EvaluationFault::Unavailable)?;
                    let kind = self.value_type(base_type)?;
                    evaluation.resume_with_register(of_bits(kind, value)?)
                }
                EvaluationResult::RequiresFrameBase => evaluation.resume_with_frame_base((self.frame_base)()?),
                EvaluationResult::RequiresTls(offset) => evaluation.resume_with_tls((self.thread_local)(offset)?),
                EvaluationResult::RequiresCallFrameCfa => {
                    evaluation.resume_with_call_frame_cfa(self.cfa.ok_or(EvaluationFault::Unavailable)?.0)
                }
                EvaluationResult::RequiresRelocatedAddress(address) => {
                    evaluation.resume_with_relocated_address(address.wrapping_add(self.bias.0))
                }
                EvaluationResult::RequiresIndexedAddress { index, relocate } => {
                    let (debug, unit) = self.unit.ok_or(EvaluationFault::Damaged)?;
                    let dwarf = debug.dwarf(unit).ok_or(EvaluationFault::Damaged)?;
                    let address = dwarf.address(&unit.dwarf, index).map_err(damaged)?;
                    let bias = if relocate { self.bias.0 } else { 0 };
                    evaluation.resume_with_indexed_address(address.wrapping_add(bias))
                }
                EvaluationResult::RequiresBaseType(offset) => {
                    let kind = self.value_type(offset)?;
                    evaluation.resume_with_base_type(kind)
                }
                EvaluationResult::RequiresEntryValue(expression) => {
                    let value = (self.entry_value)(Passed::In(expression))?;
                    evaluation.resume_with_entry_value(value)
                }
                EvaluationResult::RequiresParameterRef(parameter) => {
                    let value = (self.entry_value)(Passed::For(parameter))?;
                    evaluation.resume_with_parameter_ref(value.to_u64(u64::MAX).map_err(damaged)?)
                }
                EvaluationResult::RequiresAtLocation(called) => {
                    let called = self.location_of(called)?;
                    evaluation.resume_with_at_location(called)
                }
                EvaluationResult::RequiresWasmLocal { .. }
                | EvaluationResult::RequiresWasmGlobal { .. }
                | EvaluationResult::RequiresWasmStack { .. } => return Err(EvaluationFault::Damaged),
            };
            state = next.map_err(damaged)?;
        }
    }

    /// Evaluates to one number: an address, or the value of a named register.
    pub(crate) fn number(
        &self,
        expression: gimli::Expression<Slice>,
        encoding: gimli::Encoding,
        initial: Option<u64>,
    ) -> Result<u64, EvaluationFault> {
        let value = self.value(expression, encoding, initial)?;
        value.to_u64(u64::MAX).map_err(|_| EvaluationFault::Damaged)
    }

    /// Evaluates to one number, with the type that the expression gives it.
    pub(crate) fn value(
        &self,
        expression: gimli::Expression<Slice>,
        encoding: gimli::Encoding,
        initial: Option<u64>,
    ) -> Result<Value, EvaluationFault> {
        // A number that is no address cannot end an expression; a single literal can be read without evaluation.
        let mut rest = expression.0;
        match gimli::Operation::parse(&mut rest, encoding) {
            Ok(gimli::Operation::TypedLiteral { base_type, value }) if rest.is_empty() => {
                return Value::parse(self.value_type(base_type)?, value).map_err(|_| EvaluationFault::Damaged);
            }
            Ok(gimli::Operation::EntryValue { expression }) if rest.is_empty() => {
                return (self.entry_value)(Passed::In(gimli::Expression(expression)));
            }
            _ => {}
        }
        let pieces = self.run(expression, encoding, initial)?;
        let [piece] = pieces.as_slice() else { return Err(EvaluationFault::Damaged) };
        match piece.location {
            gimli::Location::Address { address } => Ok(Value::Generic(address)),
            gimli::Location::Register { register } => {
                self.register(register.0).map(Value::Generic).ok_or(EvaluationFault::Unavailable)
            }
            gimli::Location::Value { value } => Ok(value),
            _ => Err(EvaluationFault::Unavailable),
        }
    }

    /// Returns the location of an entry that an expression calls; empty if it has none (DWARF 5, 2.5.1.5).
    fn location_of(&self, called: gimli::DieReference) -> Result<Slice, EvaluationFault> {
        let (debug, unit) = self.unit.ok_or(EvaluationFault::Damaged)?;
        let id = match called {
            gimli::DieReference::UnitRef(offset) => EntryId { unit: unit.index, offset },
            gimli::DieReference::DebugInfoRef(offset) => {
                debug.entry_in(unit.part, offset.0 as u64).ok_or(EvaluationFault::Damaged)?
            }
        };
        let (unit, entry) = debug.entry(id).ok_or(EvaluationFault::Damaged)?;
        let Some(location) = entry.attr_value(gimli::DW_AT_location) else { return Ok(Slice::default()) };
        match location_at(debug, unit, location, self.at) {
            Ok(Some(expression)) => Ok(expression.0),
            Ok(None) => Err(EvaluationFault::Unavailable),
            Err(()) => Err(EvaluationFault::Damaged),
        }
    }

    fn register(&self, number: u16) -> Option<u64> {
        self.registers.get(number).or_else(|| (self.thread_register)(number))
    }

    fn memory_value(&self, address: u64, size: u8, kind: ValueType) -> Result<Value, EvaluationFault> {
        let mut bytes = [0; 8];
        let wanted = bytes.get_mut(..usize::from(size)).ok_or(EvaluationFault::Damaged)?;
        self.memory.read(VirtualAddress(address), wanted).map_err(EvaluationFault::Memory)?;
        of_bits(kind, u64::from_le_bytes(bytes))
    }

    fn value_type(&self, offset: gimli::UnitOffset) -> Result<ValueType, EvaluationFault> {
        if offset.0 == 0 {
            return Ok(ValueType::Generic);
        }
        let (_, unit) = self.unit.ok_or(EvaluationFault::Damaged)?;
        let entry = unit.entry(offset).ok_or(EvaluationFault::Damaged)?;
        ValueType::from_entry(&entry).ok().flatten().ok_or(EvaluationFault::Unsupported("a type of its stack"))
    }
}

/// Makes a value of a type from its bits.
fn of_bits(kind: ValueType, bits: u64) -> Result<Value, EvaluationFault> {
    match kind {
        ValueType::F32 => Ok(Value::F32(f32::from_bits(bits as u32))),
        ValueType::F64 => Ok(Value::F64(f64::from_bits(bits))),
        kind => Value::from_u64(kind, bits).map_err(|_| EvaluationFault::Damaged),
    }
}
