//! Expressions: evaluates them on a stopped thread and converts their values to AIF.
//!
//! An [`Expression`] is parsed once and evaluated any number of times against an [`EvalContext`]: breakpoint conditions
//! are hot. The result is a lazy [`Value`]: memory is read when the value is needed.
#![warn(unused_crate_dependencies)]

mod aif;
mod arrays;
pub mod budget;
pub mod call_request;
mod context;
mod error;
mod eval;
mod expression;
mod frame_context;
pub mod lang;
mod long_double;
mod machine;
mod memory_search;
mod observed_symbols;
mod parse_cache;
mod printers;
mod rank_printers;
mod stopped_access;
mod syntax;
mod type_texts;
mod types;
mod value;
mod value_contents;
pub mod value_history;

pub use self::call_request::{CallRequest, Convention};
pub use crate::eval::call_replay::{Journal, Replay};
pub use crate::eval::convenience::{number_note, record};
pub use crate::eval::last_examined::{note_examined, note_examined_code};
pub use crate::eval::operand::converted;
pub use crate::eval::register::FLAGS_TYPE;
pub use crate::lang::languages::written_by_gdb;
pub use aif::variables::named_to_variable;
pub use arrays::{find_in_array, look_at_array, measure_array, read_data_part};
pub use context::EvalContext;
pub use error::EvalError;
pub use expression::Expression;
pub use frame_context::FrameContext;
pub use lang::cpp::virtual_tables::virtual_tables;
pub use machine::{Machine, not_called};
pub use memory_search::{find_bytes, sought_bytes};
pub use parse_cache::ParseCache;
pub use printers::rules::table::PrinterTable;
pub use rank_printers::RankPrinters;
pub use stopped_access::StoppedAccess;
pub use type_texts::{declaration_text, type_declaration_text, type_of_declaration, type_text};
pub use value::Value;

#[cfg(test)]
mod tests;
