//! Looking into a stopped thread: every operation that changes nothing about where it is. Pure functions of the thread.

mod answer;
mod disassembly;
mod evaluation;
mod places;
mod thread;
mod words;

pub use answer::answer;
pub use evaluation::{Evaluation, evaluate};
pub use places::{place_sites, site_at, source_places};
pub use thread::StoppedThread;
