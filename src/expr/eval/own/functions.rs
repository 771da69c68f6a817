//! gdb's convenience functions, such as `$_strlen(text)` and `$_caller_is("main")`.

use super::texts::{characters_of, same_memory, text_of, text_value};
use crate::EvalError;
use crate::context::EvalContext;
use crate::error::error;
use crate::eval::arithmetic::truth;
use crate::eval::operand::{Operand, dereferenced, float_value, integer_value};
use crate::types::type_of;
use crate::value::Value;
use debuginfo::types::Kind;
use debuginfo::types::builtin::Builtin;
use model::aif::{FormatOptions, format};
use model::{PrintSwitch, RegularExpression};
use std::sync::Arc;

/// A convenience function.
struct OwnFunction {
    name: &'static str,
    /// The fewest and the most arguments.
    arguments: (usize, usize),
    evaluate: fn(&[Value], &EvalContext<'_>) -> Result<Value, EvalError>,
}

const fn function(
    name: &'static str,
    arguments: (usize, usize),
    evaluate: fn(&[Value], &EvalContext<'_>) -> Result<Value, EvalError>,
) -> OwnFunction {
    OwnFunction { name, arguments, evaluate }
}

const FUNCTIONS: &[OwnFunction] = &[
    function("_isvoid", (1, 1), |given, s| Ok(number(i128::from(type_of(first(given)?.ty(), s).kind == Kind::Void)))),
    function("_strlen", (1, 1), |given, s| text_of(first(given)?, s).map(|text| number(text.len() as i128))),
    function("_streq", (2, 2), |given, s| Ok(truth(text_of(first(given)?, s)? == text_of(second(given)?, s)?, s))),
    function("_memeq", (3, 3), |given, s| same_memory(given, s).map(|same| truth(same, s))),
    function("_regex", (2, 2), |given, s| {
        let text = characters_of(first(given)?, s)?;
        Ok(truth(pattern(second(given)?, s)?.is_found_in(&text), s))
    }),
    function("_as_string", (1, 1), as_string),
    function("_creal", (1, 1), |given, s| part_of_complex(given, false, s)),
    function("_cimag", (1, 1), |given, s| part_of_complex(given, true, s)),
    function("_caller_is", (1, 2), |given, s| {
        let name = characters_of(first(given)?, s)?;
        at_caller(given, s, |function| function == name)
    }),
    function("_caller_matches", (1, 2), |given, s| {
        let pattern = pattern(first(given)?, s)?;
        at_caller(given, s, |function| pattern.is_found_in(function))
    }),
    function("_any_caller_is", (1, 2), |given, s| {
        let name = characters_of(first(given)?, s)?;
        at_any_caller(given, s, |function| function == name)
    }),
    function("_any_caller_matches", (1, 2), |given, s| {
        let pattern = pattern(first(given)?, s)?;
        at_any_caller(given, s, |function| pattern.is_found_in(function))
    }),
    function("_gdb_setting", (1, 1), |given, s| Ok(setting(given, s)?.0)),
    function("_gdb_setting_str", (1, 1), |given, s| Ok(text_value(&setting(given, s)?.1))),
];

/// Calls one of gdb's convenience functions; `None` if there is none of this name.
pub(crate) fn own_function(name: &str, arguments: &[Value], s: &EvalContext<'_>) -> Option<Result<Value, EvalError>> {
    let function = FUNCTIONS.iter().find(|function| function.name == name)?;
    let (least, most) = function.arguments;
    if !(least..=most).contains(&arguments.len()) {
        let needs = match (least, most) {
            (1, 1) => "one argument".to_owned(),
            (least, most) if least == most => format!("{least} arguments"),
            _ => "one or two arguments".to_owned(),
        };
        return Some(Err(error(format!("You must provide {needs} for ${name}."))));
    }
    // As in gdb, whose own functions have no types.
    Some(if s.has_effects() { (function.evaluate)(arguments, s) } else { Ok(number(0)) })
}

fn number(value: i128) -> Value {
    integer_value(value, Builtin::Int)
}

fn first(given: &[Value]) -> Result<&Value, EvalError> {
    given.first().ok_or_else(|| error("You must provide an argument."))
}

fn second(given: &[Value]) -> Result<&Value, EvalError> {
    given.get(1).ok_or_else(|| error("You must provide a second argument."))
}

/// Parses a regular expression that must match from the start of a text, as Python's `re.match`.
fn pattern(value: &Value, s: &EvalContext<'_>) -> Result<RegularExpression, EvalError> {
    let text = characters_of(value, s)?;
    RegularExpression::parse_extended(&format!("^({text})"))
        .map_err(|fault| error(format!("{text:?} is no regular expression: {fault}")))
}

/// Returns the text that is printed of a value: for an enumeration, the name.
fn as_string(given: &[Value], s: &EvalContext<'_>) -> Result<Value, EvalError> {
    let datum = first(given)?.to_datum(s)?;
    let text = format(&datum, &FormatOptions::within(s.limits())).map_err(|fault| error(fault.to_string()))?;
    Ok(text_value(&text))
}

fn part_of_complex(given: &[Value], imaginary: bool, s: &EvalContext<'_>) -> Result<Value, EvalError> {
    let value = dereferenced(first(given)?, s)?;
    match Operand::of(&value, s) {
        Ok(Operand::Complex { real, imaginary: other, size }) => {
            Ok(float_value(if imaginary { other } else { real }, size))
        }
        _ => Err(error("expected a complex number")),
    }
}

/// The deepest caller that may be asked for: the stack up to it is unwound.
const DEEPEST_CALLER: u32 = 10_000;

/// Functions by their names, innermost first; `None` for one without a name.
type Functions = Vec<Option<Arc<str>>>;

/// Returns which caller is meant: the first, unless another is given.
fn callers(given: &[Value], s: &EvalContext<'_>) -> Result<(u32, Functions), EvalError> {
    let depth = match given.get(1) {
        None => 1,
        Some(given) => Operand::of(given, s)?.as_integer(),
    };
    if depth < 0 {
        return Err(error("nframes must be >= 0"));
    }
    let depth = u32::try_from(depth).unwrap_or(u32::MAX).min(DEEPEST_CALLER);
    Ok((depth, s.symbols().functions_on_stack(depth.saturating_add(1))))
}

/// True if the function of the caller meets a condition.
fn at_caller(given: &[Value], s: &EvalContext<'_>, is_meant: impl Fn(&str) -> bool) -> Result<Value, EvalError> {
    let (depth, functions) = callers(given, s)?;
    let caller = functions.get(depth as usize).and_then(Option::as_deref);
    Ok(truth(caller.is_some_and(is_meant), s))
}

/// True if a function up to the caller meets a condition.
fn at_any_caller(given: &[Value], s: &EvalContext<'_>, is_meant: impl Fn(&str) -> bool) -> Result<Value, EvalError> {
    let (_, functions) = callers(given, s)?;
    Ok(truth(functions.iter().flatten().any(|function| is_meant(function)), s))
}

/// Returns the value of a setting, as a value and as text. The engines know those of `print`.
fn setting(given: &[Value], s: &EvalContext<'_>) -> Result<(Value, String), EvalError> {
    let text = characters_of(first(given)?, s)?;
    let unknown = || error(format!("only the settings of print have values here; \"show {text}\" shows others"));
    let name = text.trim().strip_prefix("print").ok_or_else(unknown)?.trim_start_matches([' ', '-']);
    let limits = s.limits();
    if let Some((_, switch, _)) = PrintSwitch::ALL.iter().find(|(known, ..)| *known == name) {
        let on = limits.has(*switch);
        return Ok((number(i128::from(on)), if on { "on" } else { "off" }.to_owned()));
    }
    // gdb's number for no limit.
    let (limit, unlimited) = match name {
        "elements" => (limits.elements, 0),
        "repeats" => (limits.repeats, 0),
        "max-depth" => (limits.max_depth, -1),
        _ => return Err(unknown()),
    };
    Ok(if limit == u32::MAX {
        (number(unlimited), "unlimited".to_owned())
    } else {
        (number(limit.into()), limit.to_string())
    })
}
