//! C++ where it differs from C: methods, and the operators that classes define.

use super::dynamic_class::dynamic_target;
use super::methods::{Method, method};
use crate::EvalError;
use crate::context::EvalContext;
use crate::error::error;
use crate::eval::access::{contents, index, member};
use crate::eval::call_arguments::Callee;
use crate::eval::calls::called;
use crate::eval::names::{is_function_or_nothing, this};
use crate::eval::node::{operand, value};
use crate::eval::operand::dereferenced;
use crate::lang::c::evaluate::{call_in_c, value_in_c};
use crate::printers::xmethods::library_method;
use crate::syntax::tree::{Node, NodeKind, UnaryOperator};
use crate::types::stripped;
use crate::value::Value;
use debuginfo::types::{Kind, TypeRef};
use model::PrintSwitch;

pub(super) fn value_in_cpp(node: &Node, s: &EvalContext<'_>) -> Result<Value, EvalError> {
    match &node.kind {
        NodeKind::Member { of, name, arrow: true } => {
            let of = value(of, s)?;
            let to = operator_on(&of, "->", None, s)?;
            let of = to.unwrap_or(of);
            let of = if s.limits().has(PrintSwitch::Object) { dynamic_target(of, s) } else { of };
            member(&of, name, true, s)
        }
        NodeKind::Index(of, at) => {
            let of = value(of, s)?;
            match operator_on(&of, "[]", Some(at), s)? {
                Some(value) => Ok(value),
                None => index(&of, &operand(at, s)?, s),
            }
        }
        NodeKind::Unary(UnaryOperator::Dereference, of) => {
            let of = value(of, s)?;
            operator_on(&of, "*", None, s)?.map_or_else(|| contents(&of, s), Ok)
        }
        NodeKind::Binary(operator, left, right) => match operator_of(left, operator.sign(), Some(right), s)? {
            Some(value) => Ok(value),
            None => value_in_c(node, s),
        },
        _ => value_in_c(node, s),
    }
}

pub(super) fn call_in_cpp(
    of: &Node,
    arguments: &[Node],
    returns: Option<&TypeRef>,
    s: &EvalContext<'_>,
) -> Result<Value, EvalError> {
    match method_call(of, arguments, s)? {
        Some(value) => Ok(value),
        None => call_in_c(of, arguments, returns, s),
    }
}

/// Calls a method of an object, or of the object whose method the frame's function is.
fn method_call(of: &Node, arguments: &[Node], s: &EvalContext<'_>) -> Result<Option<Value>, EvalError> {
    let (object, name) = match &of.kind {
        NodeKind::Member { of, name, arrow } => {
            let of = value(of, s)?;
            // The object of the method is what the operator leads to.
            let to = if *arrow { operator_on(&of, "->", None, s)? } else { None };
            (to.unwrap_or(of), name.as_ref())
        }
        NodeKind::Name(name) if is_function_or_nothing(name, s) => match this(s)? {
            Some(this) => (this, name.as_ref()),
            None => return Ok(None),
        },
        NodeKind::Name(_) => {
            let object = dereferenced(&value(of, s)?, s)?;
            if !matches!(stripped(object.ty(), s).1.kind, Kind::Aggregate { .. }) {
                return Ok(None);
            }
            (object, "operator()")
        }
        _ => return Ok(None),
    };
    let values = arguments.iter().map(|one| value(one, s)).collect::<Result<Vec<_>, _>>()?;
    method_called(&object, name, values, s)
}

fn method_called(
    object: &Value,
    name: &str,
    arguments: Vec<Value>,
    s: &EvalContext<'_>,
) -> Result<Option<Value>, EvalError> {
    if let Some(value) = library_method(object, name, &arguments, s)? {
        return Ok(Some(value));
    }
    method_of_class(object, name, arguments, s)
}

/// Calls a method that the class defines.
fn method_of_class(
    object: &Value,
    name: &str,
    arguments: Vec<Value>,
    s: &EvalContext<'_>,
) -> Result<Option<Value>, EvalError> {
    let Some(Method { function, this }) = method(object, name, &arguments, s)? else { return Ok(None) };
    let mut all = vec![this];
    all.extend(arguments);
    called(&Callee::of(&function, name, None, all.len(), s)?, &all, s).map(Some)
}

/// Applies an operator that the class of the left operand overloads.
fn operator_of(left: &Node, sign: &str, right: Option<&Node>, s: &EvalContext<'_>) -> Result<Option<Value>, EvalError> {
    if !matches!(left.kind, NodeKind::Name(_) | NodeKind::Member { .. } | NodeKind::Unary(..)) {
        return Ok(None);
    }
    operator_on(&value(left, s)?, sign, right, s)
}

/// Applies an operator that the class of a value overloads.
fn operator_on(
    left: &Value,
    sign: &str,
    right: Option<&Node>,
    s: &EvalContext<'_>,
) -> Result<Option<Value>, EvalError> {
    let object = dereferenced(left, s)?;
    if !matches!(stripped(object.ty(), s).1.kind, Kind::Aggregate { .. }) {
        return Ok(None);
    }
    let arguments: Vec<Value> = right.map(|right| value(right, s)).transpose()?.into_iter().collect();
    let operator = format!("operator{sign}");
    if let Some(value) = library_method(&object, &operator, &arguments, s)? {
        return Ok(Some(value));
    }
    if object.address().is_none() {
        return Ok(None);
    }
    if sign == "[]" && matches!(right.map(|right| &right.kind), Some(NodeKind::Text(..))) {
        let name = s.type_name(object.ty());
        return Err(error(format!(
            "Cannot index {name} with a string: that needs a key object in the program. Print the container to see \
                its elements."
        )));
    }
    method_of_class(&object, &operator, arguments, s)
}

/// gdb's words for a name that is not in a scope.
pub(super) fn missing_in_scope(scope: &str, name: &str, s: &EvalContext<'_>) -> Option<String> {
    let ty = s.symbols().type_named(scope)?;
    let (_, ty) = stripped(&ty, s);
    let scope = ty.name.as_deref().unwrap_or(scope);
    Some(match &ty.kind {
        Kind::Enumeration { .. } => format!("no constant named \"{name}\" in enum \"{scope}\""),
        Kind::Aggregate { .. } => format!("There is no field named {name}"),
        _ => format!("`{scope}' is not defined as an aggregate type."),
    })
}
