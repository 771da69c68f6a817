//! Commands in progress: their requests and the replies they wait for.

pub(super) mod asking;
pub(super) mod collecting;
pub(super) mod investigation;
pub(super) mod late_answers;
mod progress;
pub(super) mod query;
mod questions;
pub(super) mod script;
pub(super) mod task;
pub(super) mod then;
mod waiting;
