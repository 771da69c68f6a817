//! Inspects a stopped thread: all operations that do not make it run. Pure functions of the thread.

mod answer;
mod arrays;
mod code_page;
mod core_files;
pub(super) mod disassembly;
mod evaluation;
mod frame_arguments;
pub(super) mod inferior;
mod info;
mod intel_syntax;
mod listing;
mod locations;
mod memory_page;
mod memory_search;
mod message_queues;
mod observation;
mod rehearsals;
pub(super) mod snapshot;
pub(super) mod snapshot_queries;
mod stopped_thread;
pub(super) mod thread_view;
pub(super) mod threads;
pub(super) mod user_frame;
pub(super) mod wide_registers;

pub use answer::answer;
pub use evaluation::{Evaluation, evaluate};
pub(crate) use inferior::context_of;
pub use locations::{place_sites, site_at, source_places};
pub(crate) use message_queues::read_queues;
pub(crate) use observation::observed_words;
pub(crate) use snapshot::Remains;
pub use stopped_thread::StoppedThread;
pub(crate) use thread_view::{frame_registers, general_bytes};
pub(crate) use threads::openmp::{Member, has_runtime, name_in_team, number_in_team, team_wait};
pub(crate) use wide_registers::wide_bytes;
