//! Steps: what one is to do, where it ends, and what it meets on its way.

pub(super) mod entering;
pub(super) mod jumps;
pub(super) mod landing;
pub(super) mod moving;
pub(super) mod step_plan;
pub(super) mod step_targets;
pub(super) mod steps;
pub(super) mod straight;
