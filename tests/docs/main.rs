//! Checks of the documentation and the shape of the package. Nothing here starts a process to debug.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on ends")]

mod docs;
mod inside;
mod layers;
mod literals;
mod map;
mod messages;
