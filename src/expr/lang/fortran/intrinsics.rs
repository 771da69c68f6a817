//! The intrinsic functions of Fortran that gdb has, too.

use crate::EvalError;
use crate::context::EvalContext;
use crate::eval::arithmetic::truth;
use crate::eval::operand::{Operand, complex_value, dereferenced, float_value, integer_value};
use crate::long_double::Real;
use crate::types::{size_of, stripped};
use crate::value::Value;
use debuginfo::types::builtin::{Builtin, array_of};
use debuginfo::types::{Dimension, Encoding, Kind, Type, TypeRef};
use model::ErrorCode;
use std::sync::Arc;

const NAMES: &[&str] =
    &["size", "lbound", "ubound", "shape", "rank", "kind", "loc", "abs", "mod", "modulo", "floor", "ceiling", "cmplx"];

/// True for the name of an intrinsic function, in upper or lower case.
pub(crate) fn is_intrinsic(name: &str) -> bool {
    NAMES.contains(&name.to_ascii_lowercase().as_str())
}

fn error(message: impl Into<String>) -> EvalError {
    EvalError::new(ErrorCode::DEBUGGER, message)
}

pub(crate) fn intrinsic(name: &str, arguments: &[Value], s: &EvalContext<'_>) -> Result<Value, EvalError> {
    let name = name.to_ascii_lowercase();
    let wrong = || error(format!("Wrong number of arguments for {}", name.to_uppercase()));
    if name == "cmplx" {
        return complex(arguments, s);
    }
    let (Some(first), 1..=2) = (arguments.first(), arguments.len()) else { return Err(wrong()) };
    let second = arguments.get(1);
    match (name.as_str(), second) {
        ("abs", None) => match Operand::of(first, s)? {
            Operand::Float { value, size } => Ok(float_value(Real::Double(value.double().abs()), size)),
            other => Ok(integer_value(other.as_integer().abs(), Builtin::Int)),
        },
        ("floor", None) => rounded(first, f64::floor, s),
        ("ceiling", None) => rounded(first, f64::ceil, s),
        ("mod" | "modulo", Some(second)) => remainder(first, second, name == "modulo", s),
        ("kind", None) => {
            let (_, ty) = stripped(first.ty(), s);
            let element = match &ty.kind {
                Kind::Array { element, .. } => element.clone(),
                _ => first.ty().clone(),
            };
            let size = size_of(&element, s).unwrap_or(0);
            // The kind of a complex number is that of one part.
            let complex = stripped(&element, s).1.kind == Kind::Base(Encoding::Complex);
            Ok(integer_value(if complex { size / 2 } else { size }.into(), Builtin::Int))
        }
        ("loc", None) => {
            let address = first.address().ok_or_else(|| error("argument to LOC must be in memory"))?;
            Ok(integer_value(address.0.into(), Builtin::Long))
        }
        ("size" | "lbound" | "ubound" | "shape" | "rank", _) => {
            let array = dereferenced(first, s)?;
            let (_, ty) = stripped(array.ty(), s);
            let Kind::Array { dimensions, .. } = &ty.kind else {
                return Err(error(format!("{} can only be applied to arrays", name.to_uppercase())));
            };
            of_dimensions(&name, dimensions, second, s)
        }
        _ => Err(wrong()),
    }
}

/// Makes a complex number of its parts, or of another complex number; the kind is 4 unless it is given.
fn complex(arguments: &[Value], s: &EvalContext<'_>) -> Result<Value, EvalError> {
    let operands = arguments.iter().map(|one| Operand::of(one, s)).collect::<Result<Vec<_>, EvalError>>()?;
    let number = |operand: &Operand| operand.as_real().ok_or_else(|| error("argument to CMPLX must be a number"));
    let zero = Real::Double(0.0);
    let (real, imaginary, kind) = match operands.as_slice() {
        [Operand::Complex { real, imaginary, .. }] => (*real, *imaginary, 4),
        [one] => (number(one)?, zero, 4),
        [real, imaginary] => (number(real)?, number(imaginary)?, 4),
        [real, imaginary, kind] => (number(real)?, number(imaginary)?, kind.as_integer()),
        _ => return Err(error("Wrong number of arguments for CMPLX")),
    };
    let Some(part) = [4_u32, 8, 16].into_iter().find(|part| i128::from(*part) == kind) else {
        return Err(error(format!("unsupported kind {kind} for type complex*4")));
    };
    let name = Some(format!("complex*{part}").into());
    let ty = Type { name, size: Some(2 * u64::from(part)), kind: Kind::Base(Encoding::Complex) };
    Ok(complex_value(real, imaginary, part).retyped(TypeRef::Made(Arc::new(ty))))
}

fn rounded(value: &Value, how: fn(f64) -> f64, s: &EvalContext<'_>) -> Result<Value, EvalError> {
    let number = Operand::of(value, s)?.as_real().ok_or_else(|| error("argument must be a number"))?;
    Ok(integer_value(how(number.double()) as i128, Builtin::Int))
}

fn remainder(left: &Value, right: &Value, floored: bool, s: &EvalContext<'_>) -> Result<Value, EvalError> {
    let (left, right) = (Operand::of(left, s)?, Operand::of(right, s)?);
    if let (Operand::Integer { value: a, .. }, Operand::Integer { value: b, .. }) = (&left, &right) {
        if *b == 0 {
            return Err(error("calling MOD (N, 0) is undefined"));
        }
        let rest = a % b;
        let rest = if floored && rest != 0 && (rest < 0) != (*b < 0) { rest + b } else { rest };
        return Ok(integer_value(rest, Builtin::Int));
    }
    let number = |operand: &Operand| operand.as_real().map(Real::double).ok_or_else(|| error("MOD of non-numbers"));
    let (a, b) = (number(&left)?, number(&right)?);
    let rest = a % b;
    let rest = if floored && rest != 0.0 && (rest < 0.0) != (b < 0.0) { rest + b } else { rest };
    Ok(float_value(Real::Double(rest), 8))
}

/// Evaluates an inquiry for the dimension given, from 1, or for all of them.
fn of_dimensions(
    name: &str,
    dimensions: &[Dimension],
    which: Option<&Value>,
    s: &EvalContext<'_>,
) -> Result<Value, EvalError> {
    let one = |dimension: &Dimension| {
        let count = i128::from(dimension.count.unwrap_or(0));
        match name {
            "lbound" => i128::from(dimension.lower),
            "ubound" => i128::from(dimension.lower) + count - 1,
            _ => count,
        }
    };
    // Fortran's first dimension is the innermost, which is the last here.
    let all: Vec<i128> = dimensions.iter().rev().map(one).collect();
    let int = |value: i128| integer_value(value, Builtin::Int);
    match (name, which) {
        ("rank", None) => Ok(int(all.len() as i128)),
        ("size", None) => Ok(int(all.iter().product())),
        ("lbound" | "ubound" | "shape", None) => {
            let bytes = all.iter().flat_map(|value| (*value as i32).to_le_bytes()).collect();
            Ok(Value::known(array_of(Builtin::Int.ty(), Some(4), Some(all.len() as u64)), bytes))
        }
        ("size" | "lbound" | "ubound", Some(which)) => {
            let number = Operand::of(which, s)?.as_integer();
            let found = usize::try_from(number - 1).ok().and_then(|index| all.get(index));
            let outside = || error(format!("{} dimension must be from 1 to {}", name.to_uppercase(), all.len()));
            found.map(|value| int(*value)).ok_or_else(outside)
        }
        _ => Err(error(format!("Wrong number of arguments for {}", name.to_uppercase()))),
    }
}

/// Evaluates `allocated(x)` and `associated(x)`: false if the variable has no address for that reason.
pub(crate) fn has_place(name: &str, s: &EvalContext<'_>) -> Option<Value> {
    match s.variable(name)?.place {
        Ok(_) => Some(truth(true, s)),
        Err(why) if why.starts_with("not a") => Some(truth(false, s)),
        Err(_) => None,
    }
}
