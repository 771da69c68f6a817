//! Converts values to AIF.

pub(super) mod arrays;
pub(super) mod base_types;
pub(super) mod containers;
pub(super) mod image_bytes;
mod long_structures;
mod member_pointers;
pub(super) mod pointed_text;
pub(super) mod rust_values;
pub(super) mod value_to_aif;
pub(super) mod variables;
