//! What the screen shows, asked for again when it may have changed.

pub(super) mod changes;
pub(super) mod source_frames;
pub(super) mod unanswered;
pub(super) mod view_refresh;
