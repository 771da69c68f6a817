//! Checks an expression without evaluating it.

use super::calls::{call_of_own, is_function, not_in_condition};
use super::function_names::check_number;
use super::node::value;
use super::type_expressions::resolve;
use crate::EvalError;
use crate::context::EvalContext;
use crate::syntax::tree::{Node, NodeKind};
use model::ErrorCode;

/// Checks both operands of operators that evaluate only one.
pub(crate) fn check_types(node: &Node, types: &EvalContext<'_>) -> Result<(), EvalError> {
    if let NodeKind::And(left, right) | NodeKind::Or(left, right) = &node.kind {
        check_number(left, types)?;
        check_number(right, types)?;
    }
    match &node.kind {
        NodeKind::And(..) | NodeKind::Or(..) | NodeKind::Conditional(..) | NodeKind::Comma(..) => {
            node.kind.parts().into_iter().try_for_each(|part| check_types(part, types))
        }
        NodeKind::Unary(_, of) if matches!(of.kind, NodeKind::And(..) | NodeKind::Or(..)) => check_types(of, types),
        NodeKind::Type(ty) => resolve(ty, types).map(drop),
        // A convenience variable may have another type after each assignment.
        _ if has_dollar(node) => Ok(()),
        _ => match value(node, types) {
            Err(error) if error.of_types => Err(error),
            _ => Ok(()),
        },
    }
}

/// Fails at a call of the program, for expressions that are evaluated while the program runs.
pub(crate) fn check_calls(node: &Node, types: &EvalContext<'_>) -> Result<(), EvalError> {
    if let NodeKind::Call(of, arguments) = &node.kind
        && let NodeKind::Name(name) = &of.kind
        && call_of_own(of, arguments, types).is_none()
        && types.variable(name).is_some()
        && value(of, types).is_ok_and(|function| is_function(&function, types))
    {
        return Err(not_in_condition(name).at(node.position));
    }
    // Methods and operators of classes are calls, too, unless they are computed.
    if let NodeKind::Call(..) | NodeKind::Binary(..) | NodeKind::Unary(..) | NodeKind::Index(..) = &node.kind
        && let Err(error) = value(node, types)
        && error.code == ErrorCode::NOT_IMPLEMENTED
    {
        return Err(error);
    }
    node.kind.parts().into_iter().try_for_each(|part| check_calls(part, types))
}

fn has_dollar(node: &Node) -> bool {
    matches!(node.kind, NodeKind::Register(_)) || node.kind.parts().into_iter().any(has_dollar)
}

pub(crate) fn check_names(node: &Node, types: &EvalContext<'_>, context: &EvalContext<'_>) -> Result<(), EvalError> {
    match &node.kind {
        NodeKind::Name(_) => match value(node, types) {
            Err(error) if error.code == ErrorCode::UNKNOWN_VARIABLE => Err(error),
            _ => Ok(()),
        },
        NodeKind::SizeOf(of) if matches!(&of.kind, NodeKind::Name(name) if context.symbols().type_named(name).is_some()) => {
            Ok(())
        }
        // Methods of the object are not variables.
        NodeKind::Call(of, arguments)
            if matches!(&of.kind, NodeKind::Name(name) if context.variable(name).is_none())
                && context.language().has_methods()
                && value(node, types).map_or_else(|error| error.code == ErrorCode::NOT_IMPLEMENTED, |_| true) =>
        {
            arguments.iter().try_for_each(|one| check_names(one, types, context))
        }
        // Functions that are computed need not be in the program.
        NodeKind::Call(of, arguments)
            if matches!(&of.kind, NodeKind::Name(_)) && call_of_own(of, arguments, types).is_some() =>
        {
            arguments.iter().try_for_each(|one| check_names(one, types, context))
        }
        // Intrinsic functions are not variables.
        NodeKind::Call(of, arguments) if matches!(&of.kind, NodeKind::Name(name) if context.variable(name).is_none() && context.language().has_intrinsic(name)) => {
            arguments.iter().try_for_each(|one| check_names(one, types, context))
        }
        kind => kind.parts().into_iter().try_for_each(|part| check_names(part, types, context)),
    }
}
