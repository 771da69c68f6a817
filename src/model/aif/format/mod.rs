//! How a value is shown: as gdb's `print` writes it, in the language of its frame.

pub(super) mod children;
pub(super) mod fortran;
pub(super) mod letter;
pub(super) mod literal;
pub(super) mod options;
pub(super) mod print;
pub(super) mod rust;
pub(super) mod type_names;
