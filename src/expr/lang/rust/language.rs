//! Rust as a language of expressions.

use super::abi::returned_by_rust;
use super::evaluate::{call_in_rust, value_in_rust};
use super::lexer::RustLexer;
use super::parser::parse;
use super::type_text::rust_type;
use crate::EvalError;
use crate::call_request::Convention;
use crate::context::EvalContext;
use crate::lang::language::Language;
use crate::printers::container::Container;
use crate::printers::rust_library::{rust_container, rust_elements};
use crate::syntax::lexer::Lexer;
use crate::syntax::tree::{Node, Parsed, Syntax};
use crate::value::{Subject, Value};
use debuginfo::types::builtin::Builtin;
use debuginfo::types::{Place, TypeRef};
use model::aif::Spelling;
use model::{TypeDetail, VirtualAddress};
use std::sync::Arc;

pub(crate) struct Rust;

impl Language for Rust {
    fn written(&self) -> Option<Spelling> {
        Some(Spelling::Rust)
    }

    fn syntax(&self) -> Syntax {
        Syntax::Rust
    }

    fn lexer(&self) -> &'static dyn Lexer {
        &RustLexer
    }

    fn parse(&self, text: &str, _: &[Arc<str>]) -> Result<Parsed, EvalError> {
        parse(text, self.lexer())
    }

    fn value(&self, node: &Node, context: &EvalContext<'_>) -> Result<Value, EvalError> {
        value_in_rust(node, context)
    }

    fn call(
        &self,
        of: &Node,
        arguments: &[Node],
        _: Option<&TypeRef>,
        context: &EvalContext<'_>,
    ) -> Result<Value, EvalError> {
        call_in_rust(of, arguments, context)
    }

    fn truth_type(&self) -> Builtin {
        Builtin::CplusplusBool
    }

    fn returned_place(&self, ty: &TypeRef, context: &EvalContext<'_>) -> Option<Place> {
        returned_by_rust(ty, context)
    }

    fn type_name(&self, ty: &TypeRef, context: &EvalContext<'_>) -> String {
        rust_type(ty, false, context)
    }

    fn type_text(
        &self,
        subject: Subject,
        detail: TypeDetail,
        _: &dyn Fn() -> Option<VirtualAddress>,
        context: &EvalContext<'_>,
    ) -> String {
        let (Subject::Value(ty) | Subject::Type(ty)) = subject;
        rust_type(&ty, detail.has_members(), context)
    }

    fn declaration(&self, ty: &TypeRef, name: &str, context: &EvalContext<'_>) -> String {
        let text = rust_type(ty, false, context);
        match text.strip_prefix("fn ") {
            _ if name.is_empty() => text,
            Some(rest) => format!("fn {name}{rest}"),
            None => format!("{name}: {text}"),
        }
    }

    fn container(&self, value: &Value, name: &str, context: &EvalContext<'_>) -> Option<Container> {
        rust_container(value, name, context)
    }

    fn elements(&self, value: &Value, name: &str, context: &EvalContext<'_>) -> Option<Value> {
        rust_elements(value, name, context)
    }

    fn convention(&self) -> Convention {
        Convention::Rust
    }

    fn unreadable_element(&self) -> Option<&'static str> {
        Some("inaccessible")
    }

    fn unknown_type(&self, name: &str) -> String {
        format!("No type name '{name}' in current context")
    }

    /// The fields of an enum depend on its active alternative.
    fn types_depend_on_memory(&self) -> bool {
        true
    }

    fn implied_names(&self) -> Option<&'static [&'static str]> {
        None
    }

    fn has_references(&self) -> bool {
        false
    }

    fn has_c_strings(&self) -> bool {
        false
    }

    fn scopes_enumerators(&self) -> bool {
        true
    }

    fn has_own_shapes(&self) -> bool {
        true
    }
}
