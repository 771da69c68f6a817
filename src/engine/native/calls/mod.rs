//! Calls functions of the program, and reads the values that functions return.

pub(super) mod called_frame;
pub(super) mod inferior_call;
pub(super) mod return_value;
pub(super) mod running_call;
pub(super) mod waiting;
