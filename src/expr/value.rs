//! What an expression came to: a type, and where the value is.

use super::EvalError;
use super::context::EvalContext;
use crate::aif::value_to_aif::to_datum;
use crate::eval::operand::Operand;
use crate::types::stripped;
use debuginfo::types::{Kind, MemoryFault, NamedValue, Place, TypeRef};
use model::{Datum, ErrorCode, Variable, VariableValue, VirtualAddress};

/// Values longer than this are not read whole; gdb's `max-value-size`.
pub(super) const LONGEST: u64 = 65536;

/// A value with its type: where it is, or its bytes. Memory is read when the value is asked for.
#[derive(Clone, Debug, PartialEq)]
pub struct Value {
    ty: TypeRef,
    place: Place,
    /// Bytes from the start of a place that is not memory.
    offset: u64,
    /// Of a bit-field: bits from the start of the place and offset, and width.
    bits: Option<(u64, u32)>,
}

impl From<MemoryFault> for EvalError {
    fn from(fault: MemoryFault) -> Self {
        Self::new(ErrorCode::MEMORY, fault.to_string())
    }
}

/// What gdb says of a pointer to something that has no address.
pub(super) const SYNTHETIC: &str = "synthetic pointer";

pub(super) fn optimized_out() -> EvalError {
    EvalError::new(ErrorCode::DEBUGGER, "value has been optimized out")
}

impl Value {
    /// A value at a place.
    pub fn new(ty: TypeRef, place: Place) -> Self {
        Self { ty, place, offset: 0, bits: None }
    }

    /// A value that is nowhere but known, little endian.
    pub(super) fn known(ty: TypeRef, bytes: Vec<u8>) -> Self {
        Self::new(ty, Place::Bytes(bytes))
    }

    /// Its type.
    pub fn ty(&self) -> &TypeRef {
        &self.ty
    }

    /// Where it is; for a part of a value that is not in memory, where the whole is.
    pub fn place(&self) -> &Place {
        &self.place
    }

    /// The bit-field it is: bits from its place, and width.
    pub fn bit_field(&self) -> Option<(u64, u32)> {
        self.bits
    }

    /// The same bytes as another type.
    pub(super) fn retyped(&self, ty: TypeRef) -> Self {
        Self { ty, ..self.clone() }
    }

    /// The same in memory, when (parts of) it were optimised out: where only the type is wanted, memory reads as zero.
    pub(super) fn with_zeros_for_holes(self) -> Self {
        match self.place {
            Place::OptimizedOut | Place::Pieces(_) | Place::Synthetic(..) => {
                Self { place: Place::Memory(VirtualAddress(0)), ..self }
            }
            _ => self,
        }
    }

    /// A part of it.
    pub(super) fn part(&self, ty: TypeRef, offset: u64, bits: Option<(u64, u32)>) -> Self {
        match &self.place {
            Place::Memory(address) => {
                let place = Place::Memory(VirtualAddress(address.0.wrapping_add(offset)));
                Self { ty, place, offset: 0, bits }
            }
            place => Self { ty, place: place.clone(), offset: self.offset.saturating_add(offset), bits },
        }
    }

    /// Its address, when it is in memory; a bit-field's is that of the unit of its type it is in.
    pub fn address(&self) -> Option<VirtualAddress> {
        match &self.place {
            Place::Memory(address) => Some(*address),
            Place::Past(_, address) => Some(VirtualAddress(address.0.wrapping_add(self.offset))),
            _ => None,
        }
    }

    /// Fills `into` with its bytes; where they were optimised out, that is the error.
    pub(super) fn read(&self, into: &mut [u8], context: &EvalContext<'_>) -> Result<(), EvalError> {
        match &self.place {
            Place::Memory(address) => Ok(context.read(*address, into)?),
            place => {
                let (bytes, known) = place_bytes(place, self.offset, into.len() as u64, context)?;
                if known.iter().any(|known| !known) {
                    return Err(optimized_out());
                }
                into.copy_from_slice(&bytes);
                Ok(())
            }
        }
    }

    /// Its bytes as far as there are any, and which of them are known.
    pub(super) fn read_known(&self, size: u64, context: &EvalContext<'_>) -> Result<(Vec<u8>, Vec<bool>), EvalError> {
        if let Place::Memory(address) = &self.place {
            let mut bytes = vec![0; size as usize];
            context.read(*address, &mut bytes)?;
            return Ok((bytes, Vec::new()));
        }
        place_bytes(&self.place, self.offset, size, context)
    }

    /// The bits of a number of `size` bytes, or of the bit-field, not extended.
    pub(super) fn read_bits(&self, size: u64, context: &EvalContext<'_>) -> Result<u128, EvalError> {
        let Some((first, width)) = self.bits else {
            let mut bytes = [0; 16];
            let size = size.min(16) as usize;
            self.read(bytes.get_mut(..size).unwrap_or_default(), context)?;
            return Ok(u128::from_le_bytes(bytes));
        };
        let (part, shift, length) = self.bit_field_bytes(first, width);
        let mut bytes = [0; 16];
        part.read(bytes.get_mut(..length).unwrap_or_default(), context)?;
        Ok(u128::from_le_bytes(bytes) >> shift & width_mask(width))
    }

    /// The bytes that hold a bit-field, the bits before it in them, and their number.
    fn bit_field_bytes(&self, first: u64, width: u32) -> (Self, u32, usize) {
        let shift = (first % 8) as u32;
        let length = (u64::from(shift) + u64::from(width.min(128))).div_ceil(8).min(16);
        let part = Self { bits: None, ..self.clone() }.part(self.ty.clone(), first / 8, None);
        (part, shift, length as usize)
    }

    /// Changes its bytes, or its bits when it is a bit-field.
    pub fn write(&self, data: &[u8], context: &EvalContext<'_>) -> Result<(), EvalError> {
        if let Some((first, width)) = self.bits {
            let (part, shift, length) = self.bit_field_bytes(first, width);
            let mut bytes = [0; 16];
            part.read(bytes.get_mut(..length).unwrap_or_default(), context)?;
            let mut new = [0; 16];
            new.iter_mut().zip(data).for_each(|(to, from)| *to = *from);
            let mask = width_mask(width) << shift;
            let old = u128::from_le_bytes(bytes) & !mask;
            let merged = (old | u128::from_le_bytes(new) << shift & mask).to_le_bytes();
            return part.write(merged.get(..length).unwrap_or_default(), context);
        }
        write_place(&self.place, self.offset, data, context)
    }

    /// Whether it can be assigned to.
    pub(super) fn is_assignable(&self) -> bool {
        !matches!(self.place, Place::Bytes(_) | Place::OptimizedOut | Place::Synthetic(..) | Place::Past(..))
    }

    /// The value as it travels, as gdb's `print` would read it.
    pub fn to_datum(&self, context: &EvalContext<'_>) -> Result<Datum, EvalError> {
        to_datum(self, context, false)
    }

    /// The same, containers of libraries as they are made.
    pub fn to_raw_datum(&self, context: &EvalContext<'_>) -> Result<Datum, EvalError> {
        to_datum(self, context, true)
    }

    /// What it points to; integers count as addresses, arrays and functions as where they are.
    pub fn as_address(&self, context: &EvalContext<'_>) -> Result<VirtualAddress, EvalError> {
        match Operand::of(self, context)? {
            Operand::Integer { value, .. } => Ok(VirtualAddress(value as u64)),
            Operand::Pointer { address, .. } => Ok(VirtualAddress(address)),
            Operand::Float { .. } | Operand::Complex { .. } => {
                Err(EvalError::new(ErrorCode::DEBUGGER, "Value can't be converted to integer."))
            }
        }
    }

    /// Its bytes as they are, of a bit-field its bits: what tells whether it changed.
    pub fn raw_bytes(&self, context: &EvalContext<'_>) -> Result<Vec<u8>, EvalError> {
        let size = self.size(context);
        match self.bits {
            Some(_) => Ok(self.read_bits(size, context)?.to_le_bytes().to_vec()),
            None => Ok(self.read_known(size, context)?.0),
        }
    }

    /// Its length in bytes, at most what is read of a value.
    pub fn size(&self, context: &EvalContext<'_>) -> u64 {
        crate::types::size_of(&self.ty, context).unwrap_or(0).min(LONGEST)
    }

    /// Whether it is not zero.
    pub fn as_bool(&self, context: &EvalContext<'_>) -> Result<bool, EvalError> {
        Ok(Operand::of(self, context)?.is_true())
    }
}

fn width_mask(width: u32) -> u128 {
    if width >= 128 { u128::MAX } else { (1 << width) - 1 }
}

fn optimized_bytes(size: u64) -> (Vec<u8>, Vec<bool>) {
    (vec![0; size as usize], vec![false; size as usize])
}

/// Bytes of a place that is not memory, and which of them are known.
fn place_bytes(
    place: &Place,
    offset: u64,
    size: u64,
    context: &EvalContext<'_>,
) -> Result<(Vec<u8>, Vec<bool>), EvalError> {
    let cut = |bytes: &[u8]| {
        let mut cut: Vec<u8> = bytes.iter().skip(offset as usize).take(size as usize).copied().collect();
        cut.resize(size as usize, 0);
        (cut, vec![true; size as usize])
    };
    Ok(match place {
        Place::Memory(address) => {
            let mut bytes = vec![0; size as usize];
            context.read(VirtualAddress(address.0.wrapping_add(offset)), &mut bytes)?;
            (bytes, vec![true; size as usize])
        }
        Place::Register(number) => match context.register(*number) {
            Some(bytes) => cut(&bytes),
            None => optimized_bytes(size),
        },
        Place::Bytes(bytes) => cut(bytes),
        Place::Past(bytes, _) | Place::Convenience(_, bytes) => cut(bytes),
        Place::OptimizedOut => optimized_bytes(size),
        Place::Synthetic(..) => {
            return Err(EvalError::new(ErrorCode::DEBUGGER, "cannot use a synthetic pointer as a number"));
        }
        Place::Pieces(pieces) => {
            let (mut bytes, mut known) = (Vec::new(), Vec::new());
            let mut start = 0_u64;
            for (piece, length) in pieces {
                let end = start.saturating_add(*length);
                let (from, to) = (start.max(offset), end.min(offset.saturating_add(size)));
                if from < to {
                    let (more, more_known) = match piece {
                        Some(Place::Pieces(_)) | None => optimized_bytes(to - from),
                        Some(piece) => place_bytes(piece, from - start, to - from, context)?,
                    };
                    bytes.extend(more);
                    known.extend(more_known);
                }
                start = end;
            }
            bytes.resize(size as usize, 0);
            known.resize(size as usize, false);
            (bytes, known)
        }
    })
}

fn write_place(place: &Place, offset: u64, data: &[u8], context: &EvalContext<'_>) -> Result<(), EvalError> {
    match place {
        Place::Memory(address) => Ok(context.write(VirtualAddress(address.0.wrapping_add(offset)), data)?),
        Place::Register(number) => {
            let mut bytes = context.register(*number).ok_or_else(optimized_out)?;
            let Some(target) = bytes.get_mut(offset as usize..).and_then(|rest| rest.get_mut(..data.len())) else {
                return Err(EvalError::new(ErrorCode::DEBUGGER, "The register is narrower than the value."));
            };
            target.copy_from_slice(data);
            if context.set_register(*number, &bytes) {
                Ok(())
            } else {
                Err(EvalError::new(ErrorCode::DEBUGGER, "Could not write the register."))
            }
        }
        Place::Pieces(pieces) => {
            let mut start = 0_u64;
            for (piece, length) in pieces {
                let end = start.saturating_add(*length);
                let (from, to) = (start.max(offset), end.min(offset + data.len() as u64));
                if from < to {
                    let part = data.get((from - offset) as usize..(to - offset) as usize).unwrap_or_default();
                    match piece {
                        Some(Place::Pieces(_)) | None => return Err(optimized_out()),
                        Some(piece) => write_place(piece, from - start, part, context)?,
                    }
                }
                start = end;
            }
            Ok(())
        }
        Place::Convenience(name, _) => {
            if context.change_convenience(name, offset, data) {
                return Ok(());
            }
            Err(EvalError::new(ErrorCode::DEBUGGER, format!("${name} cannot be changed here.")))
        }
        Place::Past(..) => {
            Err(EvalError::new(ErrorCode::DEBUGGER, "Left operand of assignment is not a modifiable lvalue."))
        }
        Place::Bytes(_) | Place::OptimizedOut | Place::Synthetic(..) => {
            Err(EvalError::new(ErrorCode::DEBUGGER, "Left operand of assignment is not an lvalue."))
        }
    }
}

/// A variable of the frame, as it travels; what cannot be read says why.
pub fn named_to_variable(named: &NamedValue, context: &EvalContext<'_>) -> Variable {
    let type_name = super::type_name(&named.ty, context);
    let value = match &named.place {
        Err(why) => VariableValue::Unknown { why: why.clone(), type_name },
        Ok(Place::Synthetic(..)) => VariableValue::Unknown { why: SYNTHETIC.to_owned(), type_name },
        Ok(Place::OptimizedOut) => VariableValue::Unknown { why: "optimized out".to_owned(), type_name },
        Ok(place) => match Value::new(named.ty.clone(), place.clone()).to_datum(context) {
            Ok(datum) => VariableValue::Known(datum),
            Err(error) => {
                let refers = matches!(stripped(&named.ty, context).1.kind, Kind::Reference(..));
                let why = match context.spelling() {
                    None if refers => format!("error reading variable: {error}"),
                    _ => format!("error reading variable {} ({error})", named.name),
                };
                VariableValue::Unknown { why, type_name }
            }
        },
    };
    Variable { name: named.name.to_string(), value }
}
