//! The elements of arrays, as text and JSON.

pub(super) mod table;
pub mod words;

pub use table::FirstPage;
