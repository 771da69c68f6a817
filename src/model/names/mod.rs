//! Names: patterns that match them, and similar spellings of those that do not exist.

pub(super) mod glob;
pub(super) mod nearest;
pub(super) mod regular_expression;
