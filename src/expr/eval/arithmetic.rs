//! Operators on numbers and pointers, with C's promotions and conversions (C17, 6.3.1.8 and 6.5).

use super::operand::{Operand, complex_value, extended, float_value, integer_value, pointer_value};
use crate::EvalError;
use crate::context::EvalContext;
use crate::long_double::{Real, RealOperator};
use crate::syntax::tree::{BinaryOperator, UnaryOperator};
use crate::types::{size_of, stripped, without_typedefs};
use crate::value::Value;
use debuginfo::types::builtin::Builtin;
use debuginfo::types::{Kind, TypeRef};
use model::ErrorCode;

fn error(message: impl Into<String>) -> EvalError {
    EvalError::new(ErrorCode::DEBUGGER, message)
}

fn not_a_number() -> EvalError {
    error("Argument to arithmetic operation not a number or boolean.")
}

/// Returns the bytes that one step moves a pointer; `void` and functions count as one byte.
fn step_of(target: &TypeRef, context: &EvalContext<'_>) -> Result<i128, EvalError> {
    match stripped(target, context).1.kind {
        Kind::Void | Kind::Function { .. } => Ok(1),
        _ => match size_of(target, context) {
            Some(size) if size > 0 => Ok(i128::from(size)),
            _ => Err(error("Cannot perform pointer math on incomplete types, try casting to a known type, or void *.")),
        },
    }
}

/// Applies `+`, `-` or `~` to an operand.
pub(crate) fn unary(operator: UnaryOperator, operand: &Operand, context: &EvalContext<'_>) -> Result<Value, EvalError> {
    match (operator, operand) {
        (UnaryOperator::Not, operand) => Ok(truth(!operand.is_true(), context)),
        (_, Operand::Pointer { .. }) => Err(not_a_number()),
        (_, Operand::Integer { value, size, signed }) => {
            let ty = Builtin::promoted(*size, *signed);
            Ok(integer_value(
                match operator {
                    UnaryOperator::Negate => value.wrapping_neg(),
                    UnaryOperator::Complement => !value,
                    _ => *value,
                },
                ty,
            ))
        }
        (UnaryOperator::Complement, Operand::Complex { real, imaginary, size }) => {
            Ok(complex_value(*real, imaginary.negated(), *size))
        }
        (UnaryOperator::Complement, _) => Err(error("Integer-only operation on floating point number.")),
        (UnaryOperator::Negate, Operand::Float { value, size }) => Ok(float_value(value.negated(), *size)),
        (UnaryOperator::Negate, Operand::Complex { real, imaginary, size }) => {
            Ok(complex_value(real.negated(), imaginary.negated(), *size))
        }
        (_, Operand::Float { value, size }) => Ok(float_value(*value, *size)),
        (_, Operand::Complex { real, imaginary, size }) => Ok(complex_value(*real, *imaginary, *size)),
    }
}

pub(crate) fn binary(
    operator: BinaryOperator,
    left: &Operand,
    right: &Operand,
    context: &EvalContext<'_>,
) -> Result<Value, EvalError> {
    match (left, right) {
        (Operand::Pointer { .. }, _) | (_, Operand::Pointer { .. }) => pointers(operator, left, right, context),
        (Operand::Complex { .. }, _) | (_, Operand::Complex { .. }) => complex(operator, left, right, context),
        (
            Operand::Integer { value: a, size: a_size, signed: a_signed },
            Operand::Integer { value: b, size: b_size, signed: b_signed },
        ) => integers(operator, (*a, *a_size, *a_signed), (*b, *b_size, *b_signed), context),
        (left, right) => match (left.as_real(), right.as_real()) {
            (Some(a), Some(b)) => floats(operator, a, b, width(left).max(width(right)), context),
            _ => Err(not_a_number()),
        },
    }
}

/// Returns the result of a comparison, which is an `int` in C and a `bool` in C++.
pub(crate) fn truth(value: bool, context: &EvalContext<'_>) -> Value {
    integer_value(i128::from(value), context.language().truth_type())
}

fn compare<T: PartialOrd>(operator: BinaryOperator, a: &T, b: &T) -> Option<bool> {
    Some(match operator {
        BinaryOperator::Less => a < b,
        BinaryOperator::LessEqual => a <= b,
        BinaryOperator::Greater => a > b,
        BinaryOperator::GreaterEqual => a >= b,
        BinaryOperator::Equal => a == b,
        BinaryOperator::NotEqual => a != b,
        _ => return None,
    })
}

fn integers(
    operator: BinaryOperator,
    a: (i128, u32, bool),
    b: (i128, u32, bool),
    context: &EvalContext<'_>,
) -> Result<Value, EvalError> {
    let promote = |(value, size, signed): (i128, u32, bool)| {
        if size < 4 { (value, 4, true) } else { (value, size, signed) }
    };
    let (a, b) = (promote(a), promote(b));
    if a.1 > 8 || b.1 > 8 {
        return Err(error("That operation is not available on integers of more than 8 bytes."));
    }
    let is_shift = matches!(operator, BinaryOperator::ShiftLeft | BinaryOperator::ShiftRight);
    // The wider type wins; of equally wide ones the unsigned. A shift has the type of its left operand.
    let (size, signed) = match (a.1, b.1) {
        _ if is_shift => (a.1, a.2),
        (x, y) if x > y => (x, a.2),
        (x, y) if x < y => (y, b.2),
        (x, _) => (x, a.2 && b.2),
    };
    let wrap = |value: i128| extended(value as u128, 8 * size, signed);
    let (x, y) = (wrap(a.0), if is_shift { b.0 } else { wrap(b.0) });
    if let Some(result) = compare(operator, &x, &y) {
        return Ok(truth(result, context));
    }
    let width = i128::from(8 * size);
    let result = match operator {
        BinaryOperator::Multiply => x.wrapping_mul(y),
        BinaryOperator::Power => power(x, y),
        BinaryOperator::Divide | BinaryOperator::Remainder if y == 0 => return Err(error("Division by zero")),
        BinaryOperator::Divide => x.wrapping_div(y),
        BinaryOperator::Remainder => x.wrapping_rem(y),
        BinaryOperator::Add => x.wrapping_add(y),
        BinaryOperator::Subtract => x.wrapping_sub(y),
        BinaryOperator::BitAnd => x & y,
        BinaryOperator::BitOr => x | y,
        BinaryOperator::BitXor => x ^ y,
        // C leaves such shifts undefined; gdb shifts everything out.
        BinaryOperator::ShiftLeft if y < 0 || y >= width => 0,
        BinaryOperator::ShiftRight if y < 0 || y >= width => {
            if x < 0 {
                -1
            } else {
                0
            }
        }
        BinaryOperator::ShiftLeft => x << y,
        _ => x >> y,
    };
    Ok(integer_value(wrap(result), Builtin::promoted(size, signed)))
}

/// Raises an integer to a power, discarding overflow; fractional results become 0.
fn power(base: i128, exponent: i128) -> i128 {
    match u32::try_from(exponent) {
        Ok(exponent) => base.wrapping_pow(exponent),
        Err(_) if exponent < 0 && base.abs() > 1 => 0,
        Err(_) if base == -1 && exponent % 2 != 0 => -1,
        Err(_) => base.abs().min(1),
    }
}

/// Bytes of a floating-point type, or of one part of a complex one; integers do not affect the width of a result.
fn width(operand: &Operand) -> u32 {
    match operand {
        Operand::Float { size, .. } | Operand::Complex { size, .. } => *size,
        Operand::Integer { .. } | Operand::Pointer { .. } => 0,
    }
}

fn real_operator(operator: BinaryOperator) -> Result<RealOperator, EvalError> {
    match operator {
        BinaryOperator::Multiply => Ok(RealOperator::Multiply),
        BinaryOperator::Divide => Ok(RealOperator::Divide),
        BinaryOperator::Add => Ok(RealOperator::Add),
        BinaryOperator::Subtract => Ok(RealOperator::Subtract),
        _ => Err(error("Integer-only operation on floating point number.")),
    }
}

fn floats(
    operator: BinaryOperator,
    a: Real,
    b: Real,
    size: u32,
    context: &EvalContext<'_>,
) -> Result<Value, EvalError> {
    if let Some(result) = compare(operator, &a, &b) {
        return Ok(truth(result, context));
    }
    if operator == BinaryOperator::Power {
        return Ok(float_value(Real::Double(a.double().powf(b.double())), size));
    }
    Ok(float_value(Real::calculated(real_operator(operator)?, a, b), size))
}

fn complex(
    operator: BinaryOperator,
    left: &Operand,
    right: &Operand,
    context: &EvalContext<'_>,
) -> Result<Value, EvalError> {
    let parts = |operand: &Operand| match operand {
        Operand::Complex { real, imaginary, .. } => Ok((*real, *imaginary)),
        other => other.as_real().map(|real| (real, Real::Double(0.0))).ok_or_else(not_a_number),
    };
    let ((a, b), (c, d)) = (parts(left)?, parts(right)?);
    match operator {
        BinaryOperator::Equal => return Ok(truth(a.equals(c) && b.equals(d), context)),
        BinaryOperator::NotEqual => return Ok(truth(!(a.equals(c) && b.equals(d)), context)),
        _ => {}
    }
    let plus = |x, y| Real::calculated(RealOperator::Add, x, y);
    let minus = |x, y| Real::calculated(RealOperator::Subtract, x, y);
    let times = |x, y| Real::calculated(RealOperator::Multiply, x, y);
    let over = |x, y| Real::calculated(RealOperator::Divide, x, y);
    let (real, imaginary) = match real_operator(operator)? {
        RealOperator::Add => (plus(a, c), plus(b, d)),
        RealOperator::Subtract => (minus(a, c), minus(b, d)),
        RealOperator::Multiply => (minus(times(a, c), times(b, d)), plus(times(a, d), times(b, c))),
        RealOperator::Divide => {
            let square = plus(times(c, c), times(d, d));
            let (real, imaginary) = (plus(times(a, c), times(b, d)), minus(times(b, c), times(a, d)));
            (over(real, square), over(imaginary, square))
        }
    };
    Ok(complex_value(real, imaginary, width(left).max(width(right))))
}

fn pointers(
    operator: BinaryOperator,
    left: &Operand,
    right: &Operand,
    context: &EvalContext<'_>,
) -> Result<Value, EvalError> {
    if matches!(
        (left, right),
        (Operand::Float { .. } | Operand::Complex { .. }, _) | (_, Operand::Float { .. } | Operand::Complex { .. })
    ) {
        return Err(not_a_number());
    }
    let addresses = (left.as_integer() as u64, right.as_integer() as u64);
    if let Some(result) = compare(operator, &addresses.0, &addresses.1) {
        return Ok(truth(result, context));
    }
    match (operator, left, right) {
        (BinaryOperator::Add, Operand::Pointer { address, target, ty }, Operand::Integer { value, .. })
        | (BinaryOperator::Add, Operand::Integer { value, .. }, Operand::Pointer { address, target, ty }) => {
            let distance = value.wrapping_mul(step_of(target, context)?);
            Ok(pointer_value(address.wrapping_add(distance as u64), without_typedefs(ty, context)))
        }
        (BinaryOperator::Subtract, Operand::Pointer { address, target, ty }, Operand::Integer { value, .. }) => {
            let distance = value.wrapping_mul(step_of(target, context)?);
            Ok(pointer_value(address.wrapping_sub(distance as u64), without_typedefs(ty, context)))
        }
        (
            BinaryOperator::Subtract,
            Operand::Pointer { address, target, .. },
            Operand::Pointer { address: other, target: other_target, .. },
        ) => {
            let step = step_of(target, context)?;
            if step != step_of(other_target, context)? {
                return Err(error(
                    "First argument of `-' is a pointer and second argument is neither\nan integer nor a pointer of the same type.",
                ));
            }
            let distance = i128::from(address.wrapping_sub(*other) as i64);
            Ok(integer_value(distance / step, Builtin::Long))
        }
        _ => Err(not_a_number()),
    }
}
