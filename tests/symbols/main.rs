//! Symbols of real programs, compared with what gdb says of the same files and the same stopped processes.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on ends")]

mod built;
mod damage;
mod kept;
mod places;
mod snapshot;
mod stacks;
mod values;
