//! A stack with the frames of libraries that are shown as one line.

use model::{FoldedFrames, Frame, MyCode};
use std::ops::Deref;

/// A stack, innermost frame first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FoldedStack {
    frames: Vec<Frame>,
    folded: Vec<FoldedFrames>,
}

impl FoldedStack {
    /// Finds the frames to fold.
    pub fn new(frames: Vec<Frame>, my_code: &MyCode) -> Self {
        let folded = my_code.folded(&frames);
        Self { frames, folded }
    }

    /// A stack of which every frame is shown.
    pub fn open(frames: Vec<Frame>) -> Self {
        Self { frames, folded: Vec::new() }
    }

    /// Returns the frames of libraries that may be shown as one line, innermost first.
    pub fn folded(&self) -> &[FoldedFrames] {
        &self.folded
    }
}

impl Deref for FoldedStack {
    type Target = [Frame];

    fn deref(&self) -> &[Frame] {
        &self.frames
    }
}
