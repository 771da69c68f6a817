//! The user's own code, as opposed to the code of the system, the MPI and the runtimes.

mod called_name;
mod folded_frames;
mod patterns;
#[cfg(test)]
mod recorded_stacks;

pub use called_name::called_name;
pub use folded_frames::FoldedFrames;
pub use patterns::{MyCode, USER_FRAME_SEARCH, UserFrame};
