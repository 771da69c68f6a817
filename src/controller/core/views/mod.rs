//! What the screen shows, asked for again when it may have changed.

mod changes;
pub(super) mod glance;
mod source_frames;
pub(super) mod together;
mod unanswered;
mod view_answers;
pub(super) mod view_refresh;
