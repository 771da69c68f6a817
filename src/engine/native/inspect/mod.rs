//! Looking into a stopped thread: every operation that changes nothing about where it is. Pure functions of the thread.

mod answer;
mod disassembly;
mod evaluation;
pub(super) mod looking;
pub(super) mod many_threads;
mod places;
pub(super) mod snapshot;
mod thread;
pub(super) mod view;
pub(super) mod wide_registers;
mod words;

pub use answer::answer;
pub use evaluation::{Evaluation, evaluate};
pub use places::{place_sites, site_at, source_places};
pub use thread::StoppedThread;
