//! What an expression comes to.

pub(super) mod access;
pub(super) mod arithmetic;
pub(super) mod call_arguments;
pub(super) mod call_replay;
pub(super) mod calls;
pub(super) mod convenience;
pub(super) mod evaluator;
pub(super) mod operand;
pub(super) mod register;
pub(super) mod stop_values;
pub(super) mod unknown_names;
pub(super) mod variants;
