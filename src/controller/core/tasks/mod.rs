//! Commands that have begun, what they have asked, and what comes back.

pub(super) mod asking;
pub(super) mod late_answers;
mod progress;
pub(super) mod query;
mod questions;
pub(super) mod script;
pub(super) mod task;
pub(super) mod then;
mod waiting;
