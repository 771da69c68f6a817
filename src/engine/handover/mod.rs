//! Hands processes over from one engine to another.

pub mod files;
pub(super) mod handed;
