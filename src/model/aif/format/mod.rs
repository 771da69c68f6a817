//! Prints values as gdb's `print` does, in the language of their frame.

pub(super) mod addresses;
pub(super) mod children;
pub(super) mod composed;
pub(super) mod fortran;
pub(super) mod layout;
pub(super) mod letter;
pub(super) mod literal;
pub(super) mod options;
pub(super) mod print;
pub(super) mod rust;
pub(super) mod type_names;
