//! Evaluates expression trees.

pub(super) mod access;
mod addresses;
pub(super) mod arithmetic;
pub(super) mod assignment;
pub(super) mod braces;
pub(super) mod call_arguments;
pub(super) mod call_replay;
pub(super) mod calls;
pub(super) mod casts;
pub(super) mod check;
pub(super) mod convenience;
pub(super) mod function_names;
pub(super) mod last_examined;
pub(super) mod names;
pub(super) mod node;
pub(super) mod operand;
mod own;
pub(super) mod register;
pub(super) mod stop_values;
pub(crate) mod strided;
pub(super) mod type_expressions;
pub(super) mod variants;
