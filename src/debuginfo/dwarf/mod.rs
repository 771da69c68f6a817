//! Debug information as DWARF lays it out: files, units, entries, expressions.

pub(super) mod children;
pub(super) mod covered;
pub(super) mod damage;
pub(super) mod debug_files;
pub(super) mod debug_info;
pub(super) mod dwz;
pub(super) mod expression;
pub(super) mod split;
pub(super) mod unit;
