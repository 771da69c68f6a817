//! Programs that ask for a debugger: `tvconnect`, and the front ends that answer it.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on ends")]

#[path = "../support/mod.rs"]
mod support;

mod forwarded;
mod reverse;
mod reverse_terminal;
mod tvconnect;
