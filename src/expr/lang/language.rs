//! A language of expressions, with C's behaviour as the default.

use super::c::abi::returned_place;
use super::c::lexer::CLexer;
use super::c::parser::{C as GRAMMAR, parse};
use super::c::type_text::{declared, name_of, text_of};
use crate::EvalError;
use crate::call_request::Convention;
use crate::context::EvalContext;
use crate::printers::container::Container;
use crate::printers::element_storage::elements;
use crate::printers::libstdcxx::container;
use crate::syntax::lexer::Lexer;
use crate::syntax::tree::{Node, Parsed, Syntax};
use crate::value::{Subject, Value};
use debuginfo::types::builtin::Builtin;
use debuginfo::types::{Place, TypeRef};
use model::aif::Spelling;
use model::{TypeDetail, VirtualAddress};
use std::sync::Arc;

/// A language: parses and evaluates its expressions, and formats its types and values. Selected by the unit of the
/// frame; C if that names no other. The defaults are those of C.
pub(crate) trait Language: Sync {
    /// How its values are displayed, if not as in C.
    fn written(&self) -> Option<Spelling> {
        None
    }

    /// gdb's name of the language, if values that gdb formatted in it need their own display.
    fn gdb_name(&self) -> Option<&'static str> {
        None
    }

    fn syntax(&self) -> Syntax {
        Syntax::C
    }

    fn lexer(&self) -> &'static dyn Lexer {
        &CLexer
    }

    /// Parses an expression; `types` are names known to be types.
    fn parse(&self, text: &str, types: &[Arc<str>]) -> Result<Parsed, EvalError> {
        parse(text, self.lexer(), types, &GRAMMAR)
    }

    fn value(&self, node: &Node, context: &EvalContext<'_>) -> Result<Value, EvalError>;

    /// Evaluates a call, or anything with the syntax of one. `returns` is the type that a cast around it gives.
    fn call(
        &self,
        of: &Node,
        arguments: &[Node],
        returns: Option<&TypeRef>,
        context: &EvalContext<'_>,
    ) -> Result<Value, EvalError>;

    fn truth_type(&self) -> Builtin;

    fn convention(&self) -> Convention {
        Convention::C
    }

    /// The place of a result right after the return.
    fn returned_place(&self, ty: &TypeRef, context: &EvalContext<'_>) -> Option<Place> {
        returned_place(ty, context)
    }

    /// Formats a type on one line.
    fn type_name(&self, ty: &TypeRef, context: &EvalContext<'_>) -> String {
        name_of(ty, context)
    }

    /// Formats a type as gdb's `whatis` or `ptype`. `_at` is the address of the value, if it is a
    /// part of a variable.
    fn type_text(
        &self,
        subject: Subject,
        detail: TypeDetail,
        _at: &dyn Fn() -> Option<VirtualAddress>,
        context: &EvalContext<'_>,
    ) -> String {
        text_of(subject, detail, context)
    }

    /// Formats a declaration of a name (or of nothing) with a type, on one line.
    fn declaration(&self, ty: &TypeRef, name: &str, context: &EvalContext<'_>) -> String {
        declared(ty, name, context)
    }

    /// Returns an object, or a pointer or reference to one, with the class that it has when the program runs; `None` if
    /// that is unknown.
    fn dynamic(&self, _value: &Value, _context: &EvalContext<'_>) -> Option<Value> {
        None
    }

    /// Casts a value to a class, or to a pointer or reference to one, where that moves its address; `None` for other
    /// casts.
    fn class_cast(
        &self,
        _value: &Value,
        _ty: &TypeRef,
        _context: &EvalContext<'_>,
    ) -> Result<Option<Value>, EvalError> {
        Ok(None)
    }

    /// Returns the contents of a container of its library.
    fn container(&self, value: &Value, name: &str, context: &EvalContext<'_>) -> Option<Container> {
        container(value, name, context)
    }

    /// Returns the elements of a container of its library that stores them one after another, as an array.
    fn elements(&self, value: &Value, name: &str, context: &EvalContext<'_>) -> Option<Value> {
        elements(value, name, context)
    }

    /// True if the first subscript of an array is that of the innermost dimension.
    fn has_columns(&self) -> bool {
        false
    }

    /// The text that its library's printers show for an unreadable element; `None`: gdb's error, which also replaces
    /// the value that a container is shown as.
    fn unreadable_element(&self) -> Option<&'static str> {
        None
    }

    /// True if objects have methods, which other methods call by name alone.
    fn has_methods(&self) -> bool {
        false
    }

    /// True for a function built into the language.
    fn has_intrinsic(&self, _name: &str) -> bool {
        false
    }

    /// The type of a data member of an object that is named with its class, without an object.
    fn type_of_member(&self, _name: &str, _context: &EvalContext<'_>) -> Option<TypeRef> {
        None
    }

    /// The error for a name that is not in a scope.
    fn missing_in_scope(&self, _scope: &str, _name: &str, _context: &EvalContext<'_>) -> Option<String> {
        None
    }

    fn unknown_type(&self, name: &str) -> String {
        format!("No symbol \"{name}\" in current context.")
    }

    /// True if the type of an expression depends on the contents of memory.
    fn types_depend_on_memory(&self) -> bool {
        false
    }

    /// True if variables can be references, which gdb leaves unnamed when it cannot read them.
    fn has_references(&self) -> bool {
        true
    }

    /// True if a pointer to a character points to a NUL-terminated string.
    fn has_c_strings(&self) -> bool {
        true
    }

    /// True if a string is an array of characters with its own length, which may be 0.
    fn texts_are_arrays(&self) -> bool {
        false
    }

    /// The prefix of the names of its character types; C's character types are then small numbers.
    fn character_types(&self) -> Option<&'static str> {
        None
    }

    /// True if enumerators are qualified with the name of their enumeration.
    fn scopes_enumerators(&self) -> bool {
        false
    }

    /// True if gdb computes with quadruple precision numbers as with `long double`.
    fn narrows_quadruples(&self) -> bool {
        false
    }

    /// The names that an expression looks up in addition to its own; `None` if they depend on the results.
    fn implied_names(&self) -> Option<&'static [&'static str]> {
        Some(&[])
    }

    /// True if values of one type can have different shapes.
    fn has_own_shapes(&self) -> bool {
        false
    }
}
