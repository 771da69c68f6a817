//! Calls of functions in expressions.

use super::call_arguments::Callee;
use super::node::value;
use super::own::functions::own_function;
use super::own::library_texts::library_text;
use crate::EvalError;
use crate::context::EvalContext;
use crate::lang::cpp::methods::overload;
use crate::syntax::tree::{Node, NodeKind};
use crate::types::stripped;
use crate::value::Value;
use debuginfo::types::{Kind, Place, TypeRef};
use model::{ErrorCode, VirtualAddress};

/// Calls a convenience function if the name is one of them: `$_strlen(text)`; in a condition, computes some functions
/// of the C library.
pub(crate) fn call_of_own(of: &Node, arguments: &[Node], s: &EvalContext<'_>) -> Option<Result<Value, EvalError>> {
    let values = || arguments.iter().map(|one| value(one, s)).collect::<Result<Vec<_>, _>>();
    let name = match &of.kind {
        NodeKind::Register(name) => name,
        NodeKind::Name(name) => return library_text(name, values, s),
        _ => return None,
    };
    match values() {
        Ok(values) => own_function(name, &values, s),
        Err(error) => Some(Err(error)),
    }
}

/// Calls the function that a value stands for; among overloads, the one that fits the arguments. `returns` is the type
/// that a cast around the call gives.
pub(crate) fn call_of(
    function: Value,
    of: &Node,
    arguments: &[Node],
    returns: Option<&TypeRef>,
    s: &EvalContext<'_>,
) -> Result<Value, EvalError> {
    let name = called_name(of);
    let values = arguments.iter().map(|one| value(one, s)).collect::<Result<Vec<_>, _>>()?;
    let function = overload(name, &values, s)?.unwrap_or(function);
    called(&Callee::of(&function, name, returns, values.len(), s)?, &values, s)
}

/// The name of a function for messages.
pub(crate) fn called_name(of: &Node) -> &str {
    if let NodeKind::Name(name) = &of.kind { name } else { "function" }
}

/// Calls a function with arguments, and with an object if it is a method.
pub(crate) fn called_with(
    function: &Value,
    name: &str,
    object: Option<Value>,
    arguments: &[Node],
    s: &EvalContext<'_>,
) -> Result<Value, EvalError> {
    let arguments = arguments.iter().map(|one| value(one, s));
    let values = object.into_iter().map(Ok).chain(arguments).collect::<Result<Vec<_>, _>>()?;
    called(&Callee::of(function, name, None, values.len(), s)?, &values, s)
}

pub(crate) fn called(callee: &Callee, arguments: &[Value], s: &EvalContext<'_>) -> Result<Value, EvalError> {
    if s.is_condition() {
        return Err(not_in_condition(callee.name()));
    }
    if !s.has_effects() {
        return Ok(Value::new(callee.returns().clone(), Place::Memory(VirtualAddress(0))));
    }
    let bytes = s.call(&callee.request(arguments, s)?)?;
    Ok(Value::known(callee.returns().clone(), bytes))
}

/// The error of a call of the program in a condition.
pub(crate) fn not_in_condition(name: &str) -> EvalError {
    let message = format!(
        "a condition cannot call {name}: only print, set and rank sets call functions \
            (strcmp, strlen, $_streq, $_regex and $_memeq need no call)"
    );
    EvalError::new(ErrorCode::NOT_IMPLEMENTED, message)
}

pub(crate) fn is_function(value: &Value, context: &EvalContext<'_>) -> bool {
    match &stripped(value.ty(), context).1.kind {
        Kind::Function { .. } => true,
        Kind::Pointer(target) => matches!(stripped(target, context).1.kind, Kind::Function { .. }),
        _ => false,
    }
}
