//! What passes through a node: requests are split among the ways down, and what comes up is merged.

pub mod equal_bodies;
pub(super) mod output_lane;
pub mod relay;
pub mod states;
pub mod transaction;
pub mod window;
