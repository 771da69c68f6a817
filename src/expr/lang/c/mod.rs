//! C, and the rules that other languages share with it.

pub mod abi;
mod cast_syntax;
pub(crate) mod evaluate;
pub(crate) mod language;
pub(crate) mod layout;
pub(crate) mod lexer;
pub mod macros;
pub(crate) mod parser;
pub(crate) mod type_names;
pub(crate) mod type_text;
