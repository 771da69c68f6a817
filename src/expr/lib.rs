//! Expressions of the language, evaluated on a stopped thread, and values made into AIF.
//!
//! An [`Expression`] is parsed once and evaluated any number of times against [`EvalContext`]: conditions of
//! breakpoints are hot. What comes out is a [`Value`], lazy: memory is read when the value is needed.

pub mod abi;
mod access;
mod arithmetic;
mod array_values;
pub mod budget;
pub mod c_macros;
pub mod call_request;
mod calls;
mod containers;
mod context;
mod datum;
mod datum_base;
mod dollar;
mod error;
mod evaluator;
mod evaluator_calls;
mod evaluator_fortran;
mod evaluator_rust;
mod examined;
mod expression;
mod image_bytes;
mod intrinsics;
mod iterators;
mod library_methods;
mod library_names;
mod library_values;
mod look;
mod methods;
pub mod notebook;
mod operand;
mod parse;
mod parse_rust;
mod parse_type;
mod real;
mod register;
mod replay;
mod resolve;
pub mod rust_abi;
mod rust_access;
mod rust_library;
mod rust_made;
mod rust_values;
mod sections;
mod stop_values;
mod syntax;
mod text;
mod token;
mod token_fortran;
mod token_rust;
mod token_template;
mod type_class;
mod type_fortran;
mod type_locals;
mod type_rust;
mod type_spelling;
mod type_text;
mod unknown_names;
mod value;
mod variants;

pub use self::call_request::{CallRequest, Convention};
pub use context::{EvalContext, FrameContext, Machine, StoppedAccess, not_called};
pub use dollar::{number_note, record};
pub use error::EvalError;
pub use examined::{note_examined, note_examined_code};
pub use expression::Expression;
pub use operand::converted;
pub use register::FLAGS_TYPE;
pub use replay::{Journal, Replay};
pub use type_text::{type_name, type_text};
pub use value::{Value, named_to_variable};

#[cfg(test)]
mod tests;
