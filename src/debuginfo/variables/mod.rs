//! Variables: their locations, and values that are known without a thread.

pub(super) mod constants;
pub(super) mod dynamic_arrays;
pub(super) mod fixed_place;
pub(super) mod locator;
pub(super) mod thread_locals;
