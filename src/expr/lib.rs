//! Expressions of the language, evaluated on a stopped thread, and values made into AIF.
//!
//! An [`Expression`] is parsed once and evaluated any number of times against [`EvalContext`]: conditions of
//! breakpoints are hot. What comes out is a [`Value`], lazy: memory is read when the value is needed.
#![warn(unused_crate_dependencies)]

mod aif;
pub mod budget;
pub mod call_request;
mod context;
mod error;
mod eval;
mod expression;
pub mod lang;
mod last_examined;
mod long_double;
mod printers;
mod syntax;
mod types;
mod value;
pub mod value_history;

pub use self::call_request::{CallRequest, Convention};
pub use crate::eval::call_replay::{Journal, Replay};
pub use crate::eval::convenience::{number_note, record};
pub use crate::eval::operand::converted;
pub use crate::eval::register::FLAGS_TYPE;
pub use crate::lang::c::type_text::{type_name, type_text};
pub use crate::last_examined::{note_examined, note_examined_code};
pub use context::{EvalContext, FrameContext, Machine, StoppedAccess, not_called};
pub use error::EvalError;
pub use expression::Expression;
pub use value::{Value, named_to_variable};

#[cfg(test)]
mod tests;
