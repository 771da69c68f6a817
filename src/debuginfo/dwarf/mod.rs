//! DWARF as it is stored: files, units, entries, expressions.

pub(super) mod children;
pub(super) mod covered;
pub(super) mod damage;
pub(super) mod debug_files;
pub(super) mod debug_info;
pub(super) mod dwz;
pub(super) mod entry;
pub(super) mod expression;
pub(super) mod left_out;
pub(super) mod named;
pub(super) mod open;
pub(super) mod split;
pub(super) mod unit;
pub(super) mod unit_language;
