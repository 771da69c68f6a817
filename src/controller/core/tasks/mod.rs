//! Commands in progress: their requests and the replies they wait for.

pub(super) mod asking;
pub(super) mod calls;
pub(super) mod collecting;
pub(super) mod data_files;
pub(super) mod each_thread;
pub(in crate::core) mod ignored_lines;
pub(super) mod investigation;
pub(super) mod late_answers;
pub(super) mod occasions;
pub(super) mod piping;
mod progress;
pub(super) mod query;
mod questions;
pub(super) mod sampling;
pub(super) mod script;
mod silent;
pub(super) mod stalls;
pub(super) mod taking;
pub(super) mod task;
pub(super) mod then;
pub(super) mod unfinished_lines;
pub(super) mod waiting;
