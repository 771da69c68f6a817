//! The table of languages, and the choice of one for a frame.

use super::c::language::C;
use super::cpp::language::Cplusplus;
use super::fortran::language::Fortran;
use super::language::Language;
use super::rust::language::Rust;
use crate::context::EvalContext;
use crate::syntax::tree::Syntax;
use debuginfo::UnitLanguage;
use debuginfo::types::{Place, Symbols, TypeRef};
use model::aif::Spelling;

/// Returns the language of the unit in which names are looked up.
pub(crate) fn language_of(symbols: &dyn Symbols) -> &'static dyn Language {
    language_named(symbols.unit_language())
}

fn language_named(language: UnitLanguage) -> &'static dyn Language {
    match language {
        UnitLanguage::Cplusplus => &Cplusplus,
        UnitLanguage::Fortran => &Fortran,
        UnitLanguage::Rust => &Rust,
        _ => &C,
    }
}

/// Returns how to display a value that gdb formatted in a language, by gdb's name of it.
pub fn written_by_gdb(language: &str) -> Option<Spelling> {
    let all: [&dyn Language; 4] = [&C, &Cplusplus, &Fortran, &Rust];
    all.into_iter().find(|known| known.gdb_name() == Some(language))?.written()
}

/// Returns a language that uses a grammar.
pub(crate) fn language_with(syntax: Syntax) -> &'static dyn Language {
    match syntax {
        Syntax::C => &C,
        Syntax::Fortran => &Fortran,
        Syntax::Rust => &Rust,
    }
}

impl EvalContext<'_> {
    pub(crate) fn language(&self) -> &'static dyn Language {
        language_named(self.unit_language())
    }

    /// Returns the context for finding types only.
    pub(crate) fn avoiding_side_effects(self) -> Self {
        self.without_effects(self.language().types_depend_on_memory())
    }

    /// Formats a type on one line, with the words of DWARF: `struct cell *`, `long unsigned int`, `int (*)(int)`.
    pub fn type_name(&self, ty: &TypeRef) -> String {
        self.language().type_name(ty, self)
    }

    /// Returns the place of a result right after the return of a function of the frame's language.
    pub fn returned_place(&self, ty: &TypeRef) -> Option<Place> {
        self.language().returned_place(ty, self)
    }
}
