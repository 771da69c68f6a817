//! The languages that there are, and which one holds.

use super::c::language::C;
use super::cpp::language::Cplusplus;
use super::fortran::language::Fortran;
use super::rust::language::Rust;
use crate::context::Language;
use crate::syntax::tree::Syntax;
use debuginfo::types::Symbols;
use model::aif::Spelling;

/// The language of the unit that symbols are seen from.
pub(crate) fn language_of(symbols: &dyn Symbols) -> &'static dyn Language {
    match symbols.spelling() {
        Some(Spelling::Fortran) => &Fortran,
        Some(Spelling::Rust) => &Rust,
        None if symbols.is_cplusplus() => &Cplusplus,
        None => &C,
    }
}

/// A language that reads expressions by a grammar.
pub(crate) fn language_with(syntax: Syntax) -> &'static dyn Language {
    match syntax {
        Syntax::C => &C,
        Syntax::Fortran => &Fortran,
        Syntax::Rust => &Rust,
    }
}
