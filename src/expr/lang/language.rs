//! A language of expressions, with C's answers as defaults.

use super::c::abi::returned_place;
use super::c::lexer::CLexer;
use super::c::parser::{C as GRAMMAR, parse};
use super::c::type_text::{name_of, text_of};
use crate::EvalError;
use crate::call_request::Convention;
use crate::context::EvalContext;
use crate::printers::container::Container;
use crate::printers::libstdcxx::container;
use crate::syntax::lexer::Lexer;
use crate::syntax::tree::{Node, Parsed, Syntax};
use crate::value::{Subject, Value};
use debuginfo::types::builtin::Builtin;
use debuginfo::types::{Place, TypeRef};
use model::VirtualAddress;
use model::aif::Spelling;
use std::sync::Arc;

/// A language: how its expressions are read and what they come to, and how its types and values are written. Chosen
/// from the unit of the frame; C where nothing says another. What has a default here is so in C.
pub(crate) trait Language: Sync {
    /// How values of it travel, where that is not as in C.
    fn written(&self) -> Option<Spelling> {
        None
    }

    /// gdb's name of it, where a value that gdb wrote in it travels as one of its own.
    fn gdb_name(&self) -> Option<&'static str> {
        None
    }

    /// By which grammar its expressions are read.
    fn syntax(&self) -> Syntax {
        Syntax::C
    }

    /// How its expressions are divided into words.
    fn lexer(&self) -> &'static dyn Lexer {
        &CLexer
    }

    /// Reads an expression; `types` are names that are known to be types.
    fn parse(&self, text: &str, types: &[Arc<str>]) -> Result<Parsed, EvalError> {
        parse(text, self.lexer(), types, &GRAMMAR)
    }

    /// The value of a part of an expression.
    fn value(&self, node: &Node, context: &EvalContext<'_>) -> Result<Value, EvalError>;

    /// A call, or what is written as one. `returns` is what a cast around it says.
    fn call(
        &self,
        of: &Node,
        arguments: &[Node],
        returns: Option<&TypeRef>,
        context: &EvalContext<'_>,
    ) -> Result<Value, EvalError>;

    /// The type of comparisons.
    fn truth_type(&self) -> Builtin;

    /// How its functions take arguments and give results.
    fn convention(&self) -> Convention {
        Convention::C
    }

    /// Where a value of a type is just after the return.
    fn returned_place(&self, ty: &TypeRef, context: &EvalContext<'_>) -> Option<Place> {
        returned_place(ty, context)
    }

    /// A type in one line.
    fn type_name(&self, ty: &TypeRef, context: &EvalContext<'_>) -> String {
        name_of(ty, context)
    }

    /// As gdb's `whatis` writes it, or its `ptype` where `expand`. `_at` says where the value is, if it is a part of a
    /// variable.
    fn type_text(
        &self,
        subject: Subject,
        expand: bool,
        _at: &dyn Fn() -> Option<VirtualAddress>,
        context: &EvalContext<'_>,
    ) -> String {
        text_of(subject, expand, context)
    }

    /// The contents of a container of its library.
    fn container(&self, value: &Value, name: &str, context: &EvalContext<'_>) -> Option<Container> {
        container(value, name, context)
    }

    /// Shown by the printers of its library for an element that cannot be read; `None`: gdb's error, which stands also
    /// in place of a value that is shown for another.
    fn unreadable_element(&self) -> Option<&'static str> {
        None
    }

    /// Objects have methods, which are called by their names alone in other methods.
    fn has_methods(&self) -> bool {
        false
    }

    /// A function that the language has itself.
    fn has_intrinsic(&self, _name: &str) -> bool {
        false
    }

    /// The error for a name that a scope does not have.
    fn missing_in_scope(&self, _scope: &str, _name: &str, _context: &EvalContext<'_>) -> Option<String> {
        None
    }

    /// The error for an unknown type.
    fn unknown_type(&self, name: &str) -> String {
        format!("No symbol \"{name}\" in current context.")
    }

    /// The type of an expression depends on the contents of memory.
    fn types_depend_on_memory(&self) -> bool {
        false
    }

    /// Some variables are references, which gdb calls by no name where they cannot be read.
    fn has_references(&self) -> bool {
        true
    }

    /// A pointer to a character points to a text that ends with a NUL.
    fn has_c_strings(&self) -> bool {
        true
    }

    /// A text is an array of characters with a length of its own, and may be empty.
    fn texts_are_arrays(&self) -> bool {
        false
    }

    /// The prefix of the names of its character types; those of C are small numbers then.
    fn character_types(&self) -> Option<&'static str> {
        None
    }

    /// Enumerators are known by the name of their enumeration.
    fn scopes_enumerators(&self) -> bool {
        false
    }

    /// gdb computes with numbers of quadruple precision as with `long double`.
    fn narrows_quadruples(&self) -> bool {
        false
    }

    /// The names that an expression looks up beside those it is made of; `None` where they depend on what it finds.
    fn implied_names(&self) -> Option<&'static [&'static str]> {
        Some(&[])
    }

    /// Values of one type may have different shapes.
    fn has_own_shapes(&self) -> bool {
        false
    }
}
