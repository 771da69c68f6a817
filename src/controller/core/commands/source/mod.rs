//! Shows and searches source text.

pub(in crate::core) mod code_lines;
pub(in crate::core) mod inspect;
pub(in crate::core) mod searching;
