//! Functions of the C library that compare and measure texts, for conditions: those are evaluated while the program
//! runs, so that they cannot call it.

use super::texts::{bytes_of, text_of};
use crate::EvalError;
use crate::context::EvalContext;
use crate::error::error;
use crate::eval::operand::{Operand, integer_value};
use crate::types::stripped;
use crate::value::Value;
use debuginfo::types::builtin::Builtin;
use debuginfo::types::{INDIRECT_CODE, Place, UNDESCRIBED_CODE};

type Compute = fn(&[Value], &EvalContext<'_>) -> Result<Value, EvalError>;

/// Names, the number of arguments, and what is computed.
const FUNCTIONS: &[(&str, usize, Compute)] = &[
    ("strlen", 1, |given, s| Ok(length(text(given, 0, s)?.len()))),
    ("strnlen", 2, |given, s| Ok(length(text(given, 0, s)?.len().min(most(given, 1, s)?)))),
    ("strcmp", 2, |given, s| Ok(ordered(&text(given, 0, s)?, &text(given, 1, s)?))),
    ("strncmp", 3, |given, s| compared(given, |byte| byte, s)),
    ("strcasecmp", 2, |given, s| {
        Ok(ordered(&text(given, 0, s)?.to_ascii_lowercase(), &text(given, 1, s)?.to_ascii_lowercase()))
    }),
    ("strncasecmp", 3, |given, s| compared(given, |byte| byte.to_ascii_lowercase(), s)),
    ("memcmp", 3, |given, s| {
        let [left, right, _] = given else { return Err(missing()) };
        let count = most(given, 2, s)?;
        Ok(ordered(&bytes_of(left, count, s)?, &bytes_of(right, count, s)?))
    }),
];

fn missing() -> EvalError {
    error("Too few arguments in function call.")
}

fn text(given: &[Value], number: usize, s: &EvalContext<'_>) -> Result<Vec<u8>, EvalError> {
    text_of(given.get(number).ok_or_else(missing)?, s)
}

/// Returns an argument that is a number of bytes.
fn most(given: &[Value], number: usize, s: &EvalContext<'_>) -> Result<usize, EvalError> {
    let Operand::Integer { value, .. } = Operand::of(given.get(number).ok_or_else(missing)?, s)? else {
        return Err(error("The number of bytes must be an integer."));
    };
    usize::try_from(value)
        .ok()
        .filter(|count| *count <= 1 << 20)
        .ok_or_else(|| error("The number of bytes is out of range."))
}

fn length(count: usize) -> Value {
    integer_value(count as i128, Builtin::UnsignedLong)
}

fn compared(given: &[Value], shown: fn(u8) -> u8, s: &EvalContext<'_>) -> Result<Value, EvalError> {
    let count = most(given, 2, s)?;
    let part =
        |number| Ok::<_, EvalError>(text(given, number, s)?.into_iter().take(count).map(shown).collect::<Vec<_>>());
    Ok(ordered(&part(0)?, &part(1)?))
}

fn ordered(left: &[u8], right: &[u8]) -> Value {
    integer_value(left.cmp(right) as i128, Builtin::Int)
}

/// Computes a function of the C library in a condition; `None` if the name is another's: the program may have a
/// function of its own.
pub(crate) fn library_text(
    name: &str,
    evaluate: impl Fn() -> Result<Vec<Value>, EvalError>,
    s: &EvalContext<'_>,
) -> Option<Result<Value, EvalError>> {
    let plain = name.strip_prefix("std::").unwrap_or(name);
    let (_, count, compute) = FUNCTIONS.iter().find(|(known, ..)| *known == plain)?;
    if !s.is_condition() || !is_of_library(name, s) {
        return None;
    }
    Some(evaluate().and_then(|arguments| {
        if arguments.len() != *count {
            return Err(
                error(format!("{name} needs {count} argument{}.", if *count == 1 { "" } else { "s" })).of_types()
            );
        }
        if s.has_effects() { compute(&arguments, s) } else { Ok(integer_value(0, Builtin::Int)) }
    }))
}

/// True if the name is that of a function of the C library, or of the dynamic linker, which has its own copies.
fn is_of_library(name: &str, s: &EvalContext<'_>) -> bool {
    let Some(found) = s.variable(name) else { return true };
    let described = stripped(&found.ty, s).1.name.clone();
    if matches!(described.as_deref(), Some(UNDESCRIBED_CODE | INDIRECT_CODE)) {
        return true;
    }
    let Ok(Place::Memory(address)) = found.place else { return false };
    let file = s.symbols().file_at(address);
    let name = file.as_deref().and_then(|file| file.rsplit('/').next()).unwrap_or_default();
    ["libc.", "libc-", "ld-", "ld64."].iter().any(|library| name.starts_with(library))
}
