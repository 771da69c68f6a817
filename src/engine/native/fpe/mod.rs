//! Floating-point exceptions: catchpoints on them, the instructions that raise them, and the functions of libraries that
//! read or change what is masked.

pub(super) mod arming;
pub(super) mod catching;
pub(super) mod environment_calls;
mod kept_masks;
mod operands;
pub(super) mod trapped;
