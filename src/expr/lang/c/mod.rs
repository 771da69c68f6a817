//! C, and what the other languages take from it.

pub mod abi;
pub mod macros;
pub(crate) mod type_names;
pub(crate) mod type_text;
