//! C as a language of expressions.

use super::evaluate::{call_in_c, value_in_c};
use super::lexer::CLexer;
use super::parser::{C as GRAMMAR, parse};
use super::type_text::{name_of, text_of};
use crate::EvalError;
use crate::context::{EvalContext, Language};
use crate::lang::c::abi::returned_place;
use crate::printers::container::Container;
use crate::printers::libstdcxx::container;
use crate::syntax::lexer::Lexer;
use crate::syntax::tree::{Node, Parsed};
use crate::value::{Subject, Value};
use debuginfo::types::builtin::Builtin;
use debuginfo::types::{Place, TypeRef};
use model::VirtualAddress;
use std::sync::Arc;

pub(crate) struct C;

impl Language for C {
    fn lexer(&self) -> &'static dyn Lexer {
        &CLexer
    }

    fn parse(&self, text: &str, types: &[Arc<str>]) -> Result<Parsed, EvalError> {
        parse(text, self.lexer(), types, &GRAMMAR)
    }

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

    fn returned_place(&self, ty: &TypeRef, context: &EvalContext<'_>) -> Option<Place> {
        returned_place(ty, context)
    }

    fn type_name(&self, ty: &TypeRef, context: &EvalContext<'_>) -> String {
        name_of(ty, context)
    }

    fn type_text(
        &self,
        subject: Subject,
        expand: bool,
        _: &dyn Fn() -> Option<VirtualAddress>,
        context: &EvalContext<'_>,
    ) -> String {
        text_of(subject, expand, context)
    }

    fn container(&self, value: &Value, name: &str, context: &EvalContext<'_>) -> Option<Container> {
        container(value, name, context)
    }

    fn implied_names(&self) -> Option<&'static [&'static str]> {
        Some(&[])
    }
}
