//! Steps: what one is to do, where it ends, and what it meets on its way.

pub(super) mod basic_block;
pub(super) mod entering;
pub(super) mod jump_return;
pub(super) mod longjmp;
pub(super) mod plan;
pub(super) mod step_resume;
pub(super) mod stepper;
pub(super) mod steps;
pub(super) mod targets;
