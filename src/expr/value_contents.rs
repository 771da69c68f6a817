//! Reads and writes the bytes of values.

use crate::EvalError;
use crate::context::EvalContext;
use crate::types::size_of;
use crate::value::{LONGEST, Value};
use debuginfo::types::{MemoryFault, Place};
use model::{ErrorCode, VirtualAddress};

impl From<MemoryFault> for EvalError {
    fn from(fault: MemoryFault) -> Self {
        Self::new(ErrorCode::MEMORY, fault.to_string())
    }
}

pub(crate) fn optimized_out() -> EvalError {
    EvalError::new(ErrorCode::DEBUGGER, "value has been optimized out")
}

impl Value {
    /// Fills `into` with its bytes; fails if they were optimised out.
    pub(super) fn read(&self, into: &mut [u8], context: &EvalContext<'_>) -> Result<(), EvalError> {
        match self.place() {
            Place::Memory(address) => Ok(context.read(*address, into)?),
            place => {
                let (bytes, known) = place_bytes(place, self.offset(), into.len() as u64, context)?;
                if known.iter().any(|known| !known) {
                    return Err(optimized_out());
                }
                into.copy_from_slice(&bytes);
                Ok(())
            }
        }
    }

    /// Returns its bytes as far as they exist, and which of them are known.
    pub(super) fn read_known(&self, size: u64, context: &EvalContext<'_>) -> Result<(Vec<u8>, Vec<bool>), EvalError> {
        if let Place::Memory(address) = self.place() {
            let mut bytes = vec![0; size as usize];
            context.read(*address, &mut bytes)?;
            return Ok((bytes, Vec::new()));
        }
        place_bytes(self.place(), self.offset(), size, context)
    }

    /// Returns the bits of a number of `size` bytes or of the bit-field, not sign-extended.
    pub(super) fn read_bits(&self, size: u64, context: &EvalContext<'_>) -> Result<u128, EvalError> {
        let Some((first, width)) = self.bit_field() else {
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

    /// Changes its bytes, or for a bit-field its bits.
    pub fn write(&self, data: &[u8], context: &EvalContext<'_>) -> Result<(), EvalError> {
        if let Some((first, width)) = self.bit_field() {
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
        write_place(self.place(), self.offset(), data, context)
    }

    /// Returns its raw bytes, for a bit-field its bits, to detect changes.
    pub fn raw_bytes(&self, context: &EvalContext<'_>) -> Result<Vec<u8>, EvalError> {
        let size = self.size(context);
        match self.bit_field() {
            Some(_) => Ok(self.read_bits(size, context)?.to_le_bytes().to_vec()),
            None => Ok(self.read_known(size, context)?.0),
        }
    }

    /// Its size in bytes, limited to what is read of a value.
    pub fn size(&self, context: &EvalContext<'_>) -> u64 {
        size_of(self.ty(), context).unwrap_or(0).min(LONGEST)
    }
}

fn width_mask(width: u32) -> u128 {
    if width >= 128 { u128::MAX } else { (1 << width) - 1 }
}

fn optimized_bytes(size: u64) -> (Vec<u8>, Vec<bool>) {
    (vec![0; size as usize], vec![false; size as usize])
}

/// Returns the bytes of a place that is not memory, and which of them are known.
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
            // A register of the x87 has the 10 bytes of a `long double` without its padding.
            let data =
                if (bytes.len(), offset, data.len()) == (10, 0, 16) { data.get(..10).unwrap_or(data) } else { data };
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
