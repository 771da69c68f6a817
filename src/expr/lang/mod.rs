//! Languages: each has its own lexer, grammar, operators and type names.

pub mod c;
pub(crate) mod cpp;
pub(crate) mod fortran;
pub(crate) mod language;
pub(crate) mod languages;
pub mod rust;
