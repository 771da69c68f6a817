//! Printers that users write: rules that say, by type, how values are shown.

mod checked_expression;
pub(crate) mod kept_table;
mod methods;
mod pattern;
mod rule;
mod scope;
mod show;
pub(crate) mod table;
mod title;
mod walk;
