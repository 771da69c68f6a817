//! C++ as a language of expressions.

use super::class_casts::class_cast;
use super::dynamic_class::with_dynamic_class;
use super::evaluate::{call_in_cpp, missing_in_scope, value_in_cpp};
use super::member_pointers::type_of_member;
use crate::EvalError;
use crate::context::EvalContext;
use crate::lang::language::Language;
use crate::syntax::tree::Node;
use crate::value::Value;
use debuginfo::types::TypeRef;
use debuginfo::types::builtin::Builtin;

pub(crate) struct Cplusplus;

impl Language for Cplusplus {
    fn value(&self, node: &Node, context: &EvalContext<'_>) -> Result<Value, EvalError> {
        value_in_cpp(node, context)
    }

    fn call(
        &self,
        of: &Node,
        arguments: &[Node],
        returns: Option<&TypeRef>,
        context: &EvalContext<'_>,
    ) -> Result<Value, EvalError> {
        call_in_cpp(of, arguments, returns, context)
    }

    fn dynamic(&self, value: &Value, context: &EvalContext<'_>) -> Option<Value> {
        with_dynamic_class(value, context)
    }

    fn class_cast(&self, value: &Value, ty: &TypeRef, context: &EvalContext<'_>) -> Result<Option<Value>, EvalError> {
        class_cast(value, ty, context)
    }

    fn truth_type(&self) -> Builtin {
        Builtin::CplusplusBool
    }

    fn has_methods(&self) -> bool {
        true
    }

    /// A member of the object is found by its name alone.
    fn implied_names(&self) -> Option<&'static [&'static str]> {
        Some(&["this"])
    }

    fn type_of_member(&self, name: &str, context: &EvalContext<'_>) -> Option<TypeRef> {
        type_of_member(name, context)
    }

    fn missing_in_scope(&self, scope: &str, name: &str, context: &EvalContext<'_>) -> Option<String> {
        missing_in_scope(scope, name, context)
    }
}
