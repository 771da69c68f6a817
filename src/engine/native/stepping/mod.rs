//! Stepping: plans of steps, their ends, and events on the way.

pub(super) mod basic_block;
pub(super) mod entering;
pub(super) mod jump_return;
pub(super) mod line_to_leave;
pub(super) mod longjmp;
pub(super) mod outer_frame;
pub(super) mod plan;
mod skipping;
pub(super) mod step_resume;
pub(super) mod stepped_thread;
pub(super) mod stepper;
pub(super) mod steps;
pub(super) mod targets;
