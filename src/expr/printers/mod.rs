//! Pretty-printers for containers of the standard libraries, with the output of gdb's.

pub(super) mod characters;
pub(super) mod container;
pub(super) mod containers;
mod eigen;
pub(super) mod element_storage;
mod elements;
mod held_values;
pub(super) mod iterators;
mod keyed_methods;
mod keys;
pub(super) mod libstdcxx;
pub(super) mod printer_members;
pub(crate) mod rules;
pub(super) mod rust_library;
mod string_methods;
pub(super) mod xmethods;
