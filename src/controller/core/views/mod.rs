//! Refreshes the views of the screen when their contents may have changed.

mod across;
mod arrays;
mod code;
mod memory;
mod seen_bytes;
mod changes;
pub(super) mod glance;
mod listed_names;
mod seen_elements;
mod source_frames;
pub(super) mod together;
mod unanswered;
mod view_answers;
pub(super) mod view_refresh;
