//! Refreshes the views of the screen when their contents may have changed.

mod across;
mod arrays;
mod changes;
mod code;
mod coloured;
mod colours;
pub(super) mod glance;
mod listed_names;
mod memory;
mod seen_bytes;
mod seen_elements;
mod source_frames;
pub(super) mod together;
mod unanswered;
mod view_answers;
pub(super) mod view_refresh;
