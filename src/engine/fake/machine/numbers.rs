//! Numbers of the simulated processor: 64 bits in operands, the size of their type in memory.

use crate::fake::code::Arithmetic;
use crate::fake::ctype::Scalar;

/// Converts bytes in memory to an operand.
pub(in crate::fake) fn loaded(bytes: &[u8], scalar: Scalar) -> u64 {
    let mut whole = [0; 8];
    let length = bytes.len().min(8);
    whole[..length].copy_from_slice(&bytes[..length]);
    let bits = u64::from_le_bytes(whole);
    match scalar {
        Scalar::Float(4) => f64::from(f32::from_bits(bits as u32)).to_bits(),
        other => fitted(bits, other),
    }
}

/// Converts an operand to bytes in memory; returns them and their number.
pub(in crate::fake) fn stored(value: u64, scalar: Scalar) -> ([u8; 8], usize) {
    match scalar {
        Scalar::Float(4) => (u64::from((f64::from_bits(value) as f32).to_bits()).to_le_bytes(), 4),
        Scalar::Signed(size) | Scalar::Unsigned(size) | Scalar::Float(size) => (value.to_le_bytes(), usize::from(size)),
    }
}

/// Truncates to the width of the type and extends again.
fn fitted(value: u64, scalar: Scalar) -> u64 {
    match scalar {
        Scalar::Signed(1) => value as i8 as u64,
        Scalar::Signed(2) => value as i16 as u64,
        Scalar::Signed(4) => value as i32 as u64,
        Scalar::Unsigned(1) => u64::from(value as u8),
        Scalar::Unsigned(2) => u64::from(value as u16),
        Scalar::Unsigned(4) => u64::from(value as u32),
        _ => value,
    }
}

pub(super) fn negated(value: u64, scalar: Scalar) -> u64 {
    match scalar {
        Scalar::Float(_) => (-f64::from_bits(value)).to_bits(),
        _ => fitted(value.wrapping_neg(), scalar),
    }
}

pub(super) fn inverted(value: u64, scalar: Scalar) -> u64 {
    fitted(!value, scalar)
}

pub(super) fn is_zero(value: u64, scalar: Scalar) -> bool {
    match scalar {
        Scalar::Float(_) => f64::from_bits(value) == 0.0,
        _ => value == 0,
    }
}

pub(super) fn converted(value: u64, from: Scalar, to: Scalar) -> u64 {
    match (from, to) {
        (Scalar::Float(_), Scalar::Float(4)) => f64::from(f64::from_bits(value) as f32).to_bits(),
        (Scalar::Float(_), Scalar::Float(_)) => value,
        (Scalar::Float(_), Scalar::Signed(_)) => fitted(f64::from_bits(value) as i64 as u64, to),
        (Scalar::Float(_), Scalar::Unsigned(_)) => fitted(f64::from_bits(value) as u64, to),
        (Scalar::Unsigned(_), Scalar::Float(_)) => (value as f64).to_bits(),
        (_, Scalar::Float(_)) => (value as i64 as f64).to_bits(),
        _ => fitted(value, to),
    }
}

/// Computes a binary operation; `None` for an invalid division.
pub(super) fn compute(operation: Arithmetic, scalar: Scalar, left: u64, right: u64) -> Option<u64> {
    if let Scalar::Float(_) = scalar {
        let (a, b) = (f64::from_bits(left), f64::from_bits(right));
        let value = match operation {
            Arithmetic::Add => a + b,
            Arithmetic::Subtract => a - b,
            Arithmetic::Multiply => a * b,
            Arithmetic::Divide => a / b,
            Arithmetic::Equal => return Some(u64::from(a == b)),
            Arithmetic::NotEqual => return Some(u64::from(a != b)),
            Arithmetic::Less => return Some(u64::from(a < b)),
            Arithmetic::LessEqual => return Some(u64::from(a <= b)),
            Arithmetic::Greater => return Some(u64::from(a > b)),
            Arithmetic::GreaterEqual => return Some(u64::from(a >= b)),
            _ => return None,
        };
        return Some(converted(value.to_bits(), Scalar::Float(8), scalar));
    }
    let signed = matches!(scalar, Scalar::Signed(_));
    let (a, b) = (left as i64, right as i64);
    let value = match operation {
        Arithmetic::Add => left.wrapping_add(right),
        Arithmetic::Subtract => left.wrapping_sub(right),
        Arithmetic::Multiply => left.wrapping_mul(right),
        Arithmetic::Divide if signed => a.checked_div(b)? as u64,
        Arithmetic::Divide => left.checked_div(right)?,
        Arithmetic::Remainder if signed => a.checked_rem(b)? as u64,
        Arithmetic::Remainder => left.checked_rem(right)?,
        Arithmetic::And => left & right,
        Arithmetic::Or => left | right,
        Arithmetic::Xor => left ^ right,
        Arithmetic::ShiftLeft => left.wrapping_shl(right as u32),
        Arithmetic::ShiftRight if signed => a.wrapping_shr(right as u32) as u64,
        Arithmetic::ShiftRight => left.wrapping_shr(right as u32),
        Arithmetic::Equal => u64::from(left == right),
        Arithmetic::NotEqual => u64::from(left != right),
        Arithmetic::Less if signed => u64::from(a < b),
        Arithmetic::Less => u64::from(left < right),
        Arithmetic::LessEqual if signed => u64::from(a <= b),
        Arithmetic::LessEqual => u64::from(left <= right),
        Arithmetic::Greater if signed => u64::from(a > b),
        Arithmetic::Greater => u64::from(left > right),
        Arithmetic::GreaterEqual if signed => u64::from(a >= b),
        Arithmetic::GreaterEqual => u64::from(left >= right),
    };
    Some(fitted(value, scalar))
}
