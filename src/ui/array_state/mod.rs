//! What the array view shows of which array.

mod picture_window;
mod shown;

pub use picture_window::PictureWindow;
pub use shown::{ArrayView, Sought};
pub(crate) use shown::{Grid, Room, Whole};
