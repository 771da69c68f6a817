//! Values as operators see them: numbers and pointers, promoted and converted as in C.

use crate::EvalError;
use crate::context::EvalContext;
use crate::long_double::Real;
use crate::types::{element_of, size_of, stripped};
use crate::value::Value;
use debuginfo::types::builtin::{Builtin, pointer_to};
use debuginfo::types::{Encoding, Kind, Type, TypeRef};
use model::aif::FloatLayout;
use model::{ErrorCode, VirtualAddress};
use rustc_apfloat::Float as _;
use std::sync::Arc;

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Operand {
    Integer {
        value: i128,
        /// Size of its type in bytes.
        size: u32,
        signed: bool,
    },
    Float {
        value: Real,
        /// Size of its type in bytes; 16 is `long double`.
        size: u32,
    },
    Complex {
        real: Real,
        imaginary: Real,
        /// Size of one part in bytes.
        size: u32,
    },
    Pointer {
        address: u64,
        target: TypeRef,
        /// The pointer's own type.
        ty: TypeRef,
    },
}

/// Returns the layout of a floating-point base type. 16 bytes are an x87 number with padding, unless the name says
/// quadruple.
pub(crate) fn float_layout(ty: &Type) -> Option<FloatLayout> {
    match ty.size {
        Some(16) if matches!(ty.name.as_deref(), Some("_Float128" | "__float128" | "real(kind=16)")) => {
            FloatLayout::ieee(16)
        }
        Some(16 | 12 | 10) => Some(FloatLayout::x87()),
        Some(2) if ty.name.as_deref() == Some("bfloat16") => Some(FloatLayout::brain()),
        Some(size) => FloatLayout::ieee(size as u32),
        None => None,
    }
}

/// Returns the layout of one part of a complex base type, and the part's size.
pub(crate) fn complex_layout(ty: &Type) -> Option<(FloatLayout, u64)> {
    let part = ty.size? / 2;
    match part {
        16 => Some((FloatLayout::x87(), part)),
        size => Some((FloatLayout::ieee(size as u32)?, part)),
    }
}

/// Returns the mathematical value of an integer's bits.
pub(crate) fn extended(bits: u128, width: u32, signed: bool) -> i128 {
    match width {
        0 => 0,
        1..=127 => {
            let shift = 128 - width;
            if signed { (bits << shift) as i128 >> shift } else { ((bits << shift) >> shift) as i128 }
        }
        _ => bits as i128,
    }
}

fn error(message: impl Into<String>) -> EvalError {
    EvalError::new(ErrorCode::DEBUGGER, message)
}

/// Follows a reference; other values stay as they are.
pub(crate) fn dereferenced(value: &Value, context: &EvalContext<'_>) -> Result<Value, EvalError> {
    let (_, ty) = stripped(value.ty(), context);
    match &ty.kind {
        Kind::Reference(target, _) => {
            let address = value.read_bits(8, context)? as u64;
            Ok(Value::new(target.clone(), debuginfo::types::Place::Memory(VirtualAddress(address))))
        }
        _ => Ok(value.clone()),
    }
}

impl Operand {
    /// Reads a value as an operand: arrays decay to pointers to their first element, functions to their address.
    pub(crate) fn of(value: &Value, context: &EvalContext<'_>) -> Result<Self, EvalError> {
        let (reference, ty) = stripped(value.ty(), context);
        let size = ty.size.unwrap_or(0) as u32;
        let integer = |signed: bool| -> Result<Self, EvalError> {
            let width = value.bit_field().map_or(8 * size, |(_, width)| width);
            let bits = value.read_bits(u64::from(size), context)?;
            Ok(Self::Integer { value: extended(bits, width, signed), size, signed })
        };
        match &ty.kind {
            Kind::Base(Encoding::Float) => {
                let layout = float_layout(&ty).ok_or_else(|| error("Unknown floating-point format."))?;
                let bits = value.read_bits(layout.size.into(), context)?;
                Ok(Self::Float { value: real(layout, bits, context), size })
            }
            Kind::Base(Encoding::Complex) => {
                let (layout, part) = complex_layout(&ty).ok_or_else(|| error("Unknown floating-point format."))?;
                let first = value.part(reference.clone(), 0, None).read_bits(layout.size.into(), context)?;
                let second = value.part(reference, part, None).read_bits(layout.size.into(), context)?;
                Ok(Self::Complex {
                    real: real(layout, first, context),
                    imaginary: real(layout, second, context),
                    size: part as u32,
                })
            }
            Kind::Base(_) if size == 0 && ty.name.as_deref() == Some("()") => {
                Ok(Self::Integer { value: 0, size: 0, signed: false })
            }
            Kind::Base(_) | Kind::Enumeration { .. } if size > 16 || size == 0 => {
                Err(error("That operation is not available on integers of more than 8 bytes."))
            }
            Kind::Base(encoding) => {
                let wide = ty.name.as_deref() == Some("wchar_t");
                integer(wide || matches!(encoding, Encoding::Signed | Encoding::SignedChar))
            }
            Kind::Enumeration { signed, .. } => integer(*signed),
            Kind::Pointer(target) => {
                let address = value.read_bits(8, context)? as u64;
                Ok(Self::Pointer { address, target: target.clone(), ty: value.ty().clone() })
            }
            Kind::Reference(..) => Self::of(&dereferenced(value, context)?, context),
            Kind::Array { .. } => {
                let (Some(address), Some((element, ..))) = (value.address(), element_of(&ty, context)) else {
                    return Err(error("Attempt to take address of value not located in memory."));
                };
                Ok(Self::Pointer { address: address.0, target: element.clone(), ty: pointer_to(element) })
            }
            Kind::Function { .. } => {
                let address = value.address().ok_or_else(|| error("The address of the function is not known."))?;
                let ty = pointer_to(value.ty().clone());
                Ok(Self::Pointer { address: address.0, target: value.ty().clone(), ty })
            }
            Kind::MemberPointer { target, .. } => {
                match (&stripped(target, context).1.kind, value.read_bits(8, context)?) {
                    // The code of a method that is not virtual.
                    (Kind::Function { .. }, first) if first % 2 == 0 => Ok(Self::Pointer {
                        address: first as u64,
                        target: target.clone(),
                        ty: pointer_to(target.clone()),
                    }),
                    _ => Err(error("Argument to arithmetic operation not a number or boolean.")),
                }
            }
            Kind::Aggregate { .. } | Kind::Variants(_) | Kind::Void | Kind::Unknown(_) => {
                Err(error("Argument to arithmetic operation not a number or boolean."))
            }
            Kind::Typedef(_) | Kind::Qualified(..) => Err(error("The type is defined by itself.")),
        }
    }

    /// True if C counts it as true.
    pub(crate) fn is_true(&self) -> bool {
        match self {
            Self::Integer { value, .. } => *value != 0,
            Self::Float { value, .. } => value.double() != 0.0,
            Self::Complex { real, imaginary, .. } => real.double() != 0.0 || imaginary.double() != 0.0,
            Self::Pointer { address, .. } => *address != 0,
        }
    }

    /// Returns it as a floating-point number; `None` for pointers.
    pub(crate) fn as_real(&self) -> Option<Real> {
        match self {
            // An unsigned 128-bit number with its top bit set.
            Self::Integer { value, size: 16, signed: false } if *value < 0 => Some(Real::Double(*value as u128 as f64)),
            Self::Integer { value, .. } if value.unsigned_abs() > 1 << 53 => Some(Real::of_integer(*value)),
            Self::Integer { value, .. } => Some(Real::Double(*value as f64)),
            Self::Float { value, .. } => Some(*value),
            Self::Complex { real, .. } => Some(*real),
            Self::Pointer { .. } => None,
        }
    }

    /// Returns it as an integer: floats lose their fraction, pointers become addresses.
    pub(crate) fn as_integer(&self) -> i128 {
        match self {
            Self::Integer { value, .. } => *value,
            Self::Float { value, .. } | Self::Complex { real: value, .. } => value.double() as i128,
            Self::Pointer { address, .. } => i128::from(*address),
        }
    }
}

/// Returns an integer as a value of a built-in type.
pub(crate) fn integer_value(value: i128, ty: Builtin) -> Value {
    let reference = ty.ty();
    let size = match &reference {
        TypeRef::Made(made) => made.size.unwrap_or(4),
        _ => 4,
    };
    let bytes = value.to_le_bytes().iter().take(size as usize).copied().collect();
    Value::known(reference, bytes)
}

fn real_bytes(value: Real, size: u32) -> Vec<u8> {
    match size {
        ..=4 => (value.double() as f32).to_le_bytes().to_vec(),
        5..=8 => value.double().to_le_bytes().to_vec(),
        _ => value.wide().to_bits().to_le_bytes().to_vec(),
    }
}

/// Returns a number as a value of the built-in type of `size` bytes.
pub(crate) fn float_value(value: Real, size: u32) -> Value {
    let ty = match size {
        ..=4 => Builtin::Float,
        5..=8 => Builtin::Double,
        _ => match value {
            Real::Quadruple(number) => {
                let kind = Kind::Base(Encoding::Float);
                let ty = Type { name: Some("_Float128".into()), size: Some(16), kind };
                return Value::known(TypeRef::Made(Arc::new(ty)), number.to_bits().to_le_bytes().to_vec());
            }
            _ => Builtin::LongDouble,
        },
    };
    Value::known(ty.ty(), real_bytes(value, size))
}

/// Returns a complex number as a value with parts of `size` bytes.
pub(crate) fn complex_value(real: Real, imaginary: Real, size: u32) -> Value {
    let (name, size) = match size {
        ..=4 => ("complex float", 4),
        5..=8 => ("complex double", 8),
        _ => ("complex long double", 16),
    };
    let kind = Kind::Base(Encoding::Complex);
    let ty = Type { name: Some(name.into()), size: Some(2 * u64::from(size)), kind };
    let bytes = [real_bytes(real, size), real_bytes(imaginary, size)].concat();
    Value::known(TypeRef::Made(Arc::new(ty)), bytes)
}

/// Decodes a number from its bits in a layout.
fn real(layout: FloatLayout, bits: u128, context: &EvalContext<'_>) -> Real {
    if layout == FloatLayout::x87() {
        Real::of_wide(bits)
    } else if layout.is_quadruple() {
        let number = Real::of_quadruple(bits);
        if context.language().narrows_quadruples() { Real::Wide(number.wide()) } else { number }
    } else {
        Real::Double(layout.to_f64(bits))
    }
}

/// Encodes a number in a layout.
fn real_bits(value: Real, layout: FloatLayout) -> u128 {
    if layout == FloatLayout::x87() {
        value.wide().to_bits()
    } else if layout.is_quadruple() {
        value.quadruple().to_bits()
    } else {
        layout.from_f64(value.double())
    }
}

pub(crate) fn pointer_value(address: u64, ty: TypeRef) -> Value {
    Value::known(ty, address.to_le_bytes().to_vec())
}

/// Converts a value to a type as a cast does; returns the bytes of the result.
pub fn converted(value: &Value, ty: &TypeRef, context: &EvalContext<'_>) -> Result<Vec<u8>, EvalError> {
    let (_, target) = stripped(ty, context);
    let size = target.size.unwrap_or(0);
    let invalid = || error("Invalid cast.");
    match &target.kind {
        Kind::Aggregate { .. } | Kind::Array { .. } => {
            let size = size_of(ty, context).filter(|size| *size <= crate::value::LONGEST).ok_or_else(invalid)?;
            if size_of(value.ty(), context) != Some(size) {
                return Err(invalid());
            }
            let mut bytes = vec![0; size as usize];
            value.read(&mut bytes, context)?;
            return Ok(bytes);
        }
        Kind::Void => return Ok(Vec::new()),
        _ => {}
    }
    let is_offset = matches!(stripped(value.ty(), context).1.kind, Kind::MemberPointer { .. });
    if let (true, Kind::MemberPointer { .. }) = (is_offset, &target.kind)
        && size_of(value.ty(), context) == Some(size)
    {
        let mut bytes = vec![0; size as usize];
        value.read(&mut bytes, context)?;
        return Ok(bytes);
    }
    // As in gdb, a cast of a pointer to a member gives its offset.
    let offset = is_offset.then(|| value.retyped(Builtin::Long.ty()));
    let value = offset.as_ref().unwrap_or(value);
    let operand = Operand::of(value, context).map_err(|fault| match fault.code {
        ErrorCode::DEBUGGER if fault.message.starts_with("Argument to") => invalid(),
        _ => fault,
    })?;
    let bits = match (&target.kind, &operand) {
        (Kind::Base(Encoding::Float), operand) => {
            let layout = float_layout(&target).ok_or_else(invalid)?;
            let number = operand.as_real().ok_or_else(invalid)?;
            // Between types of the same encoding and size the bits are copied: a long double is wider than the double
            // it would pass through.
            let (_, from) = stripped(value.ty(), context);
            if matches!(from.kind, Kind::Base(Encoding::Float)) && float_layout(&from) == Some(layout) {
                value.read_bits(layout.size.into(), context)?
            } else {
                real_bits(number, layout)
            }
        }
        (Kind::Base(Encoding::Complex), operand) => {
            let (layout, part) = complex_layout(&target).ok_or_else(invalid)?;
            let imaginary =
                if let Operand::Complex { imaginary, .. } = operand { *imaginary } else { Real::Double(0.0) };
            let real = real_bits(operand.as_real().ok_or_else(invalid)?, layout);
            let mut bytes: Vec<u8> = real.to_le_bytes().iter().take(part as usize).copied().collect();
            bytes.extend(real_bits(imaginary, layout).to_le_bytes().iter().take(part as usize));
            return Ok(bytes);
        }
        (Kind::Base(Encoding::Boolean), operand) => u128::from(operand.is_true()),
        // C17 6.3.1.4 leaves numbers out of range undefined; gdb clamps them to 64 bits.
        (Kind::Base(_) | Kind::Enumeration { .. }, Operand::Float { value, .. }) if size <= 8 => {
            let value = value.double();
            if is_signed(&target) || value < 0.0 { (value as i64) as u128 } else { u128::from(value as u64) }
        }
        (Kind::Base(_) | Kind::Enumeration { .. } | Kind::Pointer(_) | Kind::Reference(..), operand) => {
            if matches!((&target.kind, operand), (Kind::Pointer(_), Operand::Float { .. } | Operand::Complex { .. })) {
                return Err(invalid());
            }
            operand.as_integer() as u128
        }
        _ => return Err(invalid()),
    };
    let size = if matches!(target.kind, Kind::Pointer(_) | Kind::Reference(..)) { 8 } else { size };
    Ok(bits.to_le_bytes().iter().take(size as usize).copied().collect())
}

fn is_signed(ty: &Type) -> bool {
    match &ty.kind {
        Kind::Base(encoding) => matches!(encoding, Encoding::Signed | Encoding::SignedChar),
        Kind::Enumeration { signed, .. } => *signed,
        _ => false,
    }
}
