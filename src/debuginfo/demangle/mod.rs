//! Demangles symbol names.

pub(super) mod ada_names;
pub(super) mod canonical;
pub(super) mod function_name;
pub(super) mod itanium;
pub(super) mod qualified;
pub(super) mod rust_names;
pub(super) mod spelled_out;
pub(super) mod symbol;
pub(super) mod template;
