//! Lists what a file defines: functions, variables, types, symbols without debug information, source files.

mod definitions;
pub(super) mod found;
pub(super) mod search;
pub(super) mod source_files;
mod undescribed;
