//! Methods of strings that search and compare them, computed without a call.

use super::characters::{Characters, text_of};
use crate::EvalError;
use crate::context::EvalContext;
use crate::error::error;
use crate::eval::operand::{Operand, integer_value};
use crate::types::{size_of, stripped};
use crate::value::Value;
use debuginfo::types::Kind;
use debuginfo::types::builtin::{Builtin, array_of};
use std::cmp::Ordering;

/// `std::string::npos`.
const NOWHERE: u64 = u64::MAX;

/// Computes a method of a string of narrow characters; `None` for another method, or other arguments.
pub(super) fn string_method(
    characters: &Characters,
    method: &str,
    arguments: &[Value],
    context: &EvalContext<'_>,
) -> Result<Option<Value>, EvalError> {
    if size_of(&characters.unit, context) != Some(1) {
        return Ok(None);
    }
    let search = Search::named(method);
    if search.is_none() && !matches!(method, "compare" | "substr" | "starts_with" | "ends_with" | "contains") {
        return Ok(None);
    }
    let own = characters.bytes(context)?;
    if method == "substr" {
        return part(&own, characters, arguments, context);
    }
    let (Some(first), rest) = (arguments.first(), arguments.get(1..).unwrap_or_default()) else { return Ok(None) };
    if method == "compare" {
        let (Some(other), []) = (text_of(first, context)?, rest) else { return Ok(None) };
        return Ok(Some(compared(&own, &other)));
    }
    let Some(wanted) = text_or_character(first, context)? else { return Ok(None) };
    if let Some(search) = search {
        let start = match rest {
            [] => None,
            [start] => Some(number(start, context)?),
            _ => return Ok(None),
        };
        let found = search.find(&own, &wanted, start).map_or(NOWHERE, |at| at as u64);
        return Ok(Some(integer_value(found.into(), Builtin::UnsignedLong)));
    }
    let holds = match (method, rest) {
        ("starts_with", []) => own.starts_with(&wanted),
        ("ends_with", []) => own.ends_with(&wanted),
        ("contains", []) => Search::First.find(&own, &wanted, None).is_some(),
        _ => return Ok(None),
    };
    Ok(Some(integer_value(holds.into(), Builtin::CplusplusBool)))
}

/// A search in a string.
#[derive(Clone, Copy)]
enum Search {
    First,
    Last,
    FirstOf,
    LastOf,
    FirstNotOf,
    LastNotOf,
}

impl Search {
    fn named(method: &str) -> Option<Self> {
        Some(match method {
            "find" => Self::First,
            "rfind" => Self::Last,
            "find_first_of" => Self::FirstOf,
            "find_last_of" => Self::LastOf,
            "find_first_not_of" => Self::FirstNotOf,
            "find_last_not_of" => Self::LastNotOf,
            _ => return None,
        })
    }

    /// Returns the place of a match at or after `start`, or for the last one at or before it.
    fn find(self, own: &[u8], wanted: &[u8], start: Option<u64>) -> Option<usize> {
        let matches = |at: usize| {
            let rest = own.get(at..).unwrap_or_default();
            let one = rest.first();
            match self {
                Self::First | Self::Last => rest.starts_with(wanted),
                Self::FirstOf | Self::LastOf => one.is_some_and(|byte| wanted.contains(byte)),
                Self::FirstNotOf | Self::LastNotOf => one.is_some_and(|byte| !wanted.contains(byte)),
            }
        };
        let start = start.map(|start| usize::try_from(start).unwrap_or(usize::MAX));
        match self {
            Self::First | Self::FirstOf | Self::FirstNotOf => {
                (start.unwrap_or(0)..own.len().saturating_add(1)).find(|at| matches(*at))
            }
            Self::Last | Self::LastOf | Self::LastNotOf => {
                (0..=own.len().min(start.unwrap_or(usize::MAX))).rev().find(|at| matches(*at))
            }
        }
    }
}

/// `substr(position = 0, length = npos)`, as an array of characters.
fn part(
    own: &[u8],
    characters: &Characters,
    arguments: &[Value],
    context: &EvalContext<'_>,
) -> Result<Option<Value>, EvalError> {
    let numbers = arguments.iter().map(|one| number(one, context)).collect::<Result<Vec<u64>, _>>()?;
    let (position, length) = match numbers.as_slice() {
        [] => (0, NOWHERE),
        [position] => (*position, NOWHERE),
        [position, length] => (*position, *length),
        _ => return Ok(None),
    };
    let start = usize::try_from(position).ok().filter(|start| *start <= own.len());
    let start = match start {
        Some(start) => start,
        None if context.has_effects() => {
            let size = own.len();
            return Err(error(format!("Position {position} is out of range for this string of size {size}.")));
        }
        None => 0,
    };
    let length = usize::try_from(length).unwrap_or(usize::MAX).min(own.len() - start);
    let mut bytes = own.get(start..start + length).unwrap_or_default().to_vec();
    bytes.push(0);
    let count = bytes.len() as u64;
    Ok(Some(Value::known(array_of(characters.unit.clone(), Some(1), Some(count)), bytes)))
}

/// As `std::string::compare`: the difference of the first bytes that differ, or else of the lengths.
fn compared(own: &[u8], other: &[u8]) -> Value {
    let difference = own.iter().zip(other).find(|(left, right)| left != right);
    let result = match difference {
        Some((left, right)) => i128::from(*left) - i128::from(*right),
        None => (own.len() as i128 - other.len() as i128).clamp(i128::from(i32::MIN), i128::from(i32::MAX)),
    };
    // Of bytes that differ, only the sign is defined: it depends on memcmp(3).
    let result = if difference.is_some() {
        match result.cmp(&0) {
            Ordering::Less => -1,
            Ordering::Equal => 0,
            Ordering::Greater => 1,
        }
    } else {
        result
    };
    integer_value(result, Builtin::Int)
}

/// Returns the bytes of a text, or a single character; `None` for anything else.
fn text_or_character(value: &Value, context: &EvalContext<'_>) -> Result<Option<Vec<u8>>, EvalError> {
    let (_, ty) = stripped(value.ty(), context);
    if matches!(ty.kind, Kind::Base(_)) && ty.size == Some(1) {
        let Operand::Integer { value, .. } = Operand::of(value, context)? else { return Ok(None) };
        return Ok(Some(vec![value as u8]));
    }
    text_of(value, context)
}

fn number(value: &Value, context: &EvalContext<'_>) -> Result<u64, EvalError> {
    match Operand::of(value, context)? {
        Operand::Integer { value, .. } => Ok(value as u64),
        _ => Err(error("A position in a string is an integer.")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn searches_find_what_those_of_the_library_find() {
        let find = |method: &str, own: &str, wanted: &str, start| {
            Search::named(method).unwrap().find(own.as_bytes(), wanted.as_bytes(), start)
        };
        assert_eq!(find("find", "hello", "l", None), Some(2));
        assert_eq!(find("find", "hello", "l", Some(3)), Some(3));
        assert_eq!(find("find", "hello", "l", Some(4)), None);
        assert_eq!(find("find", "hello", "", Some(5)), Some(5));
        assert_eq!(find("find", "hello", "", Some(6)), None);
        assert_eq!(find("find", "hello", "x", Some(u64::MAX)), None);
        assert_eq!(find("rfind", "hello", "l", None), Some(3));
        assert_eq!(find("rfind", "hello", "l", Some(2)), Some(2));
        assert_eq!(find("rfind", "hello", "", None), Some(5));
        assert_eq!(find("rfind", "", "x", None), None);
        assert_eq!(find("find_first_of", "hello", "ol", None), Some(2));
        assert_eq!(find("find_last_of", "hello", "le", None), Some(3));
        assert_eq!(find("find_first_not_of", "hello", "he", None), Some(2));
        assert_eq!(find("find_last_not_of", "hello", "lo", None), Some(1));
        assert_eq!(find("find_last_not_of", "", "lo", None), None);
    }
}
