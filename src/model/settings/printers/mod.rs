//! Printers that users write: files of rules that say, by type, how values are shown.

pub(crate) mod enabled;
pub(crate) mod file;
pub(crate) mod name;
pub(crate) mod rule;
pub(crate) mod shipped;
