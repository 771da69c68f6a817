//! Fortran as a language of expressions.

use super::evaluate::{call_in_fortran, is_own, value_in_fortran};
use super::lexer::FortranLexer;
use super::type_text::{fortran_type, fortran_type_at};
use crate::EvalError;
use crate::context::EvalContext;
use crate::lang::c::parser::{Grammar, parse};
use crate::lang::language::Language;
use crate::syntax::lexer::Lexer;
use crate::syntax::tree::{Node, Parsed, Syntax};
use crate::value::{Subject, Value};
use debuginfo::UnitLanguage;
use debuginfo::types::TypeRef;
use debuginfo::types::builtin::Builtin;
use model::aif::Spelling;
use model::{TypeDetail, VirtualAddress};
use std::sync::Arc;

pub(crate) struct Fortran;

/// The differences of Fortran's grammar from C's.
static GRAMMAR: Grammar = Grammar { types_first: false, component: Some("%"), subscript_ranges: true };

impl Language for Fortran {
    fn written(&self) -> Option<Spelling> {
        Some(Spelling::Fortran)
    }

    fn gdb_name(&self) -> Option<&'static str> {
        Some(UnitLanguage::Fortran.name())
    }

    fn syntax(&self) -> Syntax {
        Syntax::Fortran
    }

    fn lexer(&self) -> &'static dyn Lexer {
        &FortranLexer
    }

    fn parse(&self, text: &str, _: &[Arc<str>]) -> Result<Parsed, EvalError> {
        // A name before a parenthesis is an array or a function, never a cast.
        parse(text, self.lexer(), &[], &GRAMMAR).map(|parsed| Parsed { doubtful: Vec::new(), ..parsed })
    }

    fn value(&self, node: &Node, context: &EvalContext<'_>) -> Result<Value, EvalError> {
        value_in_fortran(node, context)
    }

    fn call(
        &self,
        of: &Node,
        arguments: &[Node],
        returns: Option<&TypeRef>,
        context: &EvalContext<'_>,
    ) -> Result<Value, EvalError> {
        call_in_fortran(of, arguments, returns, context)
    }

    fn truth_type(&self) -> Builtin {
        Builtin::Logical
    }

    fn type_name(&self, ty: &TypeRef, context: &EvalContext<'_>) -> String {
        fortran_type(ty, false, context)
    }

    fn type_text(
        &self,
        subject: Subject,
        detail: TypeDetail,
        at: &dyn Fn() -> Option<VirtualAddress>,
        context: &EvalContext<'_>,
    ) -> String {
        let (Subject::Value(ty) | Subject::Type(ty)) = subject;
        if detail.has_members() { fortran_type_at(&ty, at(), context) } else { fortran_type(&ty, false, context) }
    }

    fn declaration(&self, ty: &TypeRef, name: &str, context: &EvalContext<'_>) -> String {
        let text = fortran_type(ty, false, context);
        // The dimensions of an array, or the parameters of a function, are behind the name.
        match text.split_once(" (") {
            _ if name.is_empty() => text,
            Some((base, rest)) => format!("{base} {name}({rest}"),
            None => format!("{text} {name}"),
        }
    }

    fn has_intrinsic(&self, name: &str) -> bool {
        is_own(name)
    }

    fn narrows_quadruples(&self) -> bool {
        true
    }

    fn implied_names(&self) -> Option<&'static [&'static str]> {
        None
    }

    fn types_depend_on_memory(&self) -> bool {
        // The descriptors of arrays have their bounds, and a polymorphic object has its type in its variable.
        true
    }

    fn has_references(&self) -> bool {
        false
    }

    fn has_columns(&self) -> bool {
        true
    }

    fn texts_are_arrays(&self) -> bool {
        true
    }

    fn character_types(&self) -> Option<&'static str> {
        Some("character")
    }
}
