//! One simulated rank: its state, its processor and the library that its program calls.

mod library;
mod numbers;
mod processor;
mod shared;
mod state;

pub(super) use numbers::{loaded, stored};
pub(super) use processor::HANDLER;
pub(super) use shared::{KnownParts, Shared};
pub(super) use state::{Activation, Effect, Machine, Thread, Unmapped};
