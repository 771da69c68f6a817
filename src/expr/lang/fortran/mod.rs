//! Fortran.

pub(crate) mod intrinsics;
pub(crate) mod lexer;
pub(crate) mod operators;
pub(crate) mod sections;
pub(crate) mod type_text;
