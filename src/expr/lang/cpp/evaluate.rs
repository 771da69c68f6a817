//! C++ where it differs from C: methods, and the operators that classes define.

use super::dynamic_class::dynamic_target;
use super::member_pointers::{Pointed, address_of_member, pointed_member};
use super::operators::{method_called, operator_of, operator_on, unary_operator};
use crate::EvalError;
use crate::context::EvalContext;
use crate::eval::access::{contents, index, member};
use crate::eval::calls::called_with;
use crate::eval::names::{is_function_or_nothing, this};
use crate::eval::node::{operand, value};
use crate::eval::operand::{dereferenced, integer_value};
use crate::lang::c::evaluate::{call_in_c, value_in_c};
use crate::syntax::tree::{CppNode, Node, NodeKind, UnaryOperator};
use crate::types::stripped;
use crate::value::Value;
use debuginfo::types::builtin::Builtin;
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
        NodeKind::Unary(UnaryOperator::AddressOf, of) => {
            let member = if let NodeKind::Name(name) = &of.kind { address_of_member(name, s) } else { None };
            member.map_or_else(|| value_in_c(node, s), Ok)
        }
        NodeKind::Unary(operator, of) => match unary_operator(of, operator.sign(), None, s)? {
            Some(value) => Ok(value),
            None => value_in_c(node, s),
        },
        NodeKind::Step { of, by, postfix } => {
            let zero = postfix.then(|| integer_value(0, Builtin::Int));
            match unary_operator(of, if *by > 0 { "++" } else { "--" }, zero, s)? {
                Some(value) => Ok(value),
                None => value_in_c(node, s),
            }
        }
        NodeKind::Binary(operator, left, right) => match operator_of(*operator, left, right, s)? {
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
        NodeKind::Cpp(CppNode::PointedMember { of, member, arrow }) => {
            let Pointed { member, this: Some(this) } = pointed_member(of, member, *arrow, s)? else { return Ok(None) };
            return called_with(&member, "method", Some(this), arguments, s).map(Some);
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

/// gdb's words for a name that is not in a scope.
pub(super) fn missing_in_scope(scope: &str, name: &str, s: &EvalContext<'_>) -> Option<String> {
    let Some(ty) = s.symbols().type_named(scope) else {
        let is_namespace = s.symbols().has_namespace(scope);
        return is_namespace.then(|| format!("No symbol \"{name}\" in namespace \"{scope}\"."));
    };
    let (_, ty) = stripped(&ty, s);
    let scope = ty.name.as_deref().unwrap_or(scope);
    Some(match &ty.kind {
        Kind::Enumeration { .. } => format!("no constant named \"{name}\" in enum \"{scope}\""),
        Kind::Aggregate { .. } => format!("There is no field named {name}"),
        _ => format!("`{scope}' is not defined as an aggregate type."),
    })
}
