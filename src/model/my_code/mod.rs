//! The user's own code, as opposed to the code of the system, the MPI and the runtimes.

mod folded_frames;
mod patterns;

pub use folded_frames::FoldedFrames;
pub use patterns::{MyCode, USER_FRAME_SEARCH, UserFrame, called_name};
