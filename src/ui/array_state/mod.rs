//! The state of the array view: an array, and the part of it on the screen.

mod picture_window;
mod shown;

pub use picture_window::PictureWindow;
pub use shown::{ArrayView, Sought};
pub(crate) use shown::{Grid, Room, Whole};
