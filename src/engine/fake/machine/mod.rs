//! One simulated rank: its state, its processor and the library that its program calls.

mod copy_on_write;
mod equal_parts;
mod library;
mod numbers;
mod processor;
mod state;
mod used_parts;

pub(super) use copy_on_write::Shared;
pub(super) use equal_parts::AnswersInCommon;
pub(super) use numbers::{loaded, stored};
pub(super) use processor::HANDLER;
pub(super) use state::{Activation, Effect, Machine, Thread, Unmapped};
pub(super) use used_parts::Used;
