//! C as a language of expressions.

use super::evaluate::{call_in_c, value_in_c};
use crate::EvalError;
use crate::context::EvalContext;
use crate::lang::language::Language;
use crate::syntax::tree::Node;
use crate::value::Value;
use debuginfo::types::TypeRef;
use debuginfo::types::builtin::Builtin;

pub(crate) struct C;

impl Language for C {
    fn value(&self, node: &Node, context: &EvalContext<'_>) -> Result<Value, EvalError> {
        value_in_c(node, context)
    }

    fn call(
        &self,
        of: &Node,
        arguments: &[Node],
        returns: Option<&TypeRef>,
        context: &EvalContext<'_>,
    ) -> Result<Value, EvalError> {
        call_in_c(of, arguments, returns, context)
    }

    fn truth_type(&self) -> Builtin {
        Builtin::Int
    }
}
