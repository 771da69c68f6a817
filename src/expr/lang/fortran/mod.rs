//! Fortran.

pub(crate) mod arguments;
mod classes;
pub(crate) mod evaluate;
pub(crate) mod intrinsics;
pub(crate) mod language;
pub(crate) mod lexer;
pub(crate) mod sections;
pub(crate) mod type_text;
