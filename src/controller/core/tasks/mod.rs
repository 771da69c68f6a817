//! Commands that have begun, what they have asked, and what comes back.

pub(super) mod ahead;
pub(super) mod asking;
pub(super) mod late_answers;
pub(super) mod replies;
pub(super) mod scripts;
pub(super) mod task;
pub(super) mod together;
pub(super) mod waits;
