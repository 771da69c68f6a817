//! Rust.

pub mod abi;
pub(crate) mod access;
pub(crate) mod evaluate;
pub(crate) mod language;
pub(crate) mod lexer;
pub(crate) mod literals;
pub(crate) mod parser;
pub(crate) mod type_names;
pub(crate) mod type_text;
