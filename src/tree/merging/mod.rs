//! Splits requests among the ways down, and merges replies on the way up.

#[cfg(test)]
mod any_tree;
mod dropped;
pub mod equal_bodies;
mod gathered;
mod late_answers;
pub(super) mod output_lane;
pub mod relay;
pub mod states;
mod sum;
pub mod transaction;
pub mod window;
