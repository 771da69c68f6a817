//! The languages that there are, and which one holds.

use super::c::language::C;
use super::cpp::language::Cplusplus;
use super::fortran::language::Fortran;
use super::rust::language::Rust;
use crate::context::Language;
use crate::syntax::tree::Syntax;
use debuginfo::UnitLanguage;
use debuginfo::types::Symbols;

/// The language of the unit that symbols are seen from.
pub(crate) fn language_of(symbols: &dyn Symbols) -> &'static dyn Language {
    match symbols.unit_language() {
        UnitLanguage::Cplusplus => &Cplusplus,
        UnitLanguage::Fortran => &Fortran,
        UnitLanguage::Rust => &Rust,
        _ => &C,
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
