//! Evaluates nodes that only C++ has: its casts, pointers to members, and `typeid`.

use super::class_casts::dynamic_cast;
use super::member_pointers::pointed_member;
use super::type_identity::type_identity;
use crate::EvalError;
use crate::context::EvalContext;
use crate::eval::casts::reinterpreted;
use crate::eval::node::value;
use crate::eval::type_expressions::resolve;
use crate::syntax::tree::CppNode;
use crate::value::Value;

pub(crate) fn value_of_cpp_node(node: &CppNode, s: &EvalContext<'_>) -> Result<Value, EvalError> {
    match node {
        CppNode::PointedMember { of, member, arrow } => Ok(pointed_member(of, member, *arrow, s)?.member),
        CppNode::DynamicCast(ty, of) => dynamic_cast(&value(of, s)?, &resolve(ty, s)?, s),
        CppNode::Reinterpreted(ty, of) => reinterpreted(&value(of, s)?, resolve(ty, s)?, s),
        CppNode::TypeId(of) => type_identity(of, s),
    }
}
