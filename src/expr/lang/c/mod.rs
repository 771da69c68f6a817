//! C, and what the other languages take from it.

pub mod abi;
pub(crate) mod evaluate;
pub(crate) mod language;
pub mod macros;
pub(crate) mod parser;
pub(crate) mod type_names;
pub(crate) mod type_text;
