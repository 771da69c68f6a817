//! Calls functions of the program, and reads the values that functions return.

pub(super) mod called_frame;
pub(super) mod evaluating;
pub(super) mod inferior_calls;
pub(super) mod left_calls;
pub(super) mod return_value;
mod running_call;
pub(super) mod waiting;
