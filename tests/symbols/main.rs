//! Symbols of real programs, compared with gdb's view of the same files and the same stopped processes.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on ends")]

#[path = "../fuzz/bodies.rs"]
mod bodies;
mod built;
mod damage;
mod files;
mod fixed;
mod fuzzed;
mod given;
mod kept;
mod left_out;
mod names_of_addresses;
#[path = "../fuzz/numbers.rs"]
mod numbers;
mod places;
mod snapshot;
mod stacks;
mod values;

use bodies::anything;
