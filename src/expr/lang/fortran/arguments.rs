//! Arguments of Fortran procedures, which receive addresses: of variables, so that a procedure can change them, and of
//! copies of other values. The length of a text is an argument of its own.

use crate::EvalError;
use crate::context::EvalContext;
use crate::error::error;
use crate::eval::operand::{Operand, converted, dereferenced, integer_value};
use crate::eval::strided::{is_text, packed};
use crate::types::{size_of, stripped};
use crate::value::{LONGEST, Value};
use debuginfo::types::builtin::Builtin;
use debuginfo::types::parameters::{Parameter, Passing};
use debuginfo::types::{Kind, Place, TypeRef};
use model::VirtualAddress;

/// The start of the names that gfortran gives the parameters for a result that its caller provides.
const RESULTS: [&str; 2] = ["__result", ".__result"];

/// An argument as it is passed.
pub(crate) enum Argument {
    /// Converted to the type of the parameter.
    Value(Value),
    Address(u64),
    /// The address of a copy, which is on the stack of the call.
    Copy(Vec<u8>),
}

/// Returns how the arguments of a procedure are passed, those included that the compiler adds.
pub(crate) fn fortran_arguments(
    procedure: &str,
    types: &[TypeRef],
    parameters: &[Parameter],
    values: &[Value],
    s: &EvalContext<'_>,
) -> Result<Vec<Argument>, EvalError> {
    let refused = |why: &str| error(format!("cannot call {procedure}: {why}"));
    let named = |parameter: &Parameter, begin: &str| {
        parameter.artificial && parameter.name.as_deref().is_some_and(|name| name.starts_with(begin))
    };
    if parameters.iter().any(|parameter| RESULTS.iter().any(|begin| named(parameter, begin))) {
        return Err(refused("its result is an array or a text, which it writes to memory of its caller."));
    }
    // As in gdb, the lengths of texts may be given, too.
    let all = values.len() == parameters.len();
    let mut values_left = values.iter();
    let mut arguments = Vec::new();
    let mut texts: Vec<(&str, u64)> = Vec::new();
    for (number, (parameter, ty)) in parameters.iter().zip(types).enumerate() {
        let name = parameter.name.as_deref().unwrap_or("");
        if let (false, true, Some(text)) = (all, parameter.artificial, name.strip_prefix('_'))
            && let Some((_, length)) = texts.iter().find(|(known, _)| *known == text)
        {
            arguments.push(Argument::Value(integer_value(i128::from(*length), Builtin::Long)));
            continue;
        }
        let Some(value) = values_left.next() else { return Err(error("Too few arguments in function call.")) };
        let value = dereferenced(value, s)?;
        let wrong = |what: &str| refused(&format!("argument {} must be {what}.", number + 1));
        if is_text(value.ty(), s) {
            texts.push((name, value.size(s)));
        }
        arguments.push(match parameter.passing {
            Passing::Value => Argument::Value(value),
            Passing::Address => by_address(&value, ty, &wrong, s)?,
            Passing::Descriptor => {
                return Err(refused(&format!(
                    "its argument {name} is an array with a descriptor (assumed-shape, allocatable or pointer), \
                        which the debugger cannot build."
                )));
            }
        });
    }
    match values_left.next() {
        Some(_) => Err(error("Too many arguments in function call.")),
        None => Ok(arguments),
    }
}

/// Passes the address of a value, which must have the type of the parameter: a number of another type is converted.
fn by_address(
    value: &Value,
    parameter: &TypeRef,
    wrong: &dyn Fn(&str) -> EvalError,
    s: &EvalContext<'_>,
) -> Result<Argument, EvalError> {
    let (_, wanted) = stripped(parameter, s);
    let (_, found) = stripped(value.ty(), s);
    let name = || s.language().type_name(parameter, s);
    match (&wanted.kind, &found.kind) {
        (Kind::Pointer(_), Kind::Pointer(_)) => return itself(value, s),
        (Kind::Pointer(_), _) => return Err(wrong("a pointer")),
        (_, Kind::Pointer(target)) => {
            let address = value.read_bits(8, s)? as u64;
            if address == 0 {
                return Err(wrong("associated"));
            }
            let target = Value::new(target.clone(), Place::Memory(VirtualAddress(address)));
            let (_, pointed) = stripped(target.ty(), s);
            return match pointed.kind {
                Kind::Pointer(_) | Kind::Function { .. } => Err(wrong(&name())),
                _ => by_address(&target, parameter, wrong, s),
            };
        }
        _ => {}
    }
    let same = |a: &TypeRef, b: &TypeRef| {
        let ((_, a), (_, b)) = (stripped(a, s), stripped(b, s));
        let alike = match (&a.kind, &b.kind) {
            (Kind::Base(a), Kind::Base(b)) => a == b,
            (Kind::Aggregate { .. }, Kind::Aggregate { .. }) => a.name == b.name,
            (a, b) => a == b,
        };
        alike && a.size == b.size
    };
    match (&wanted.kind, &found.kind) {
        (Kind::Array { .. }, Kind::Array { .. }) if is_text(parameter, s) && is_text(value.ty(), s) => {
            // A text that is too short is filled with blanks, as in an assignment.
            match size_of(parameter, s).filter(|size| *size > value.size(s) && *size <= LONGEST) {
                Some(size) => {
                    let mut bytes = value.raw_bytes(s)?;
                    bytes.resize(size as usize, b' ');
                    Ok(Argument::Copy(bytes))
                }
                None => itself(value, s),
            }
        }
        (Kind::Array { element, .. }, Kind::Array { element: own, .. }) if same(element, own) => {
            itself(packed(value, s)?.as_ref().unwrap_or(value), s)
        }
        // The array begins at this element (Fortran 2018, 15.5.2.11).
        (Kind::Array { element, .. }, _) if same(element, value.ty()) && value.address().is_some() => itself(value, s),
        (Kind::Array { .. } | Kind::Aggregate { .. }, _) | (_, Kind::Array { .. } | Kind::Aggregate { .. })
            if !same(parameter, value.ty()) =>
        {
            Err(wrong(&name()))
        }
        _ if same(parameter, value.ty()) => itself(value, s),
        _ => match Operand::of(value, s)? {
            Operand::Pointer { .. } => Err(wrong(&name())),
            _ => converted(value, parameter, s).map(Argument::Copy),
        },
    }
}

/// Passes the address of a value as it is, or of a copy if it has none.
fn itself(value: &Value, s: &EvalContext<'_>) -> Result<Argument, EvalError> {
    match (value.address(), value.bit_field()) {
        (Some(address), None) => Ok(Argument::Address(address.0)),
        _ if value.size(s) > LONGEST => Err(error("The value is too long to be passed.")),
        _ => value.raw_bytes(s).map(Argument::Copy),
    }
}
