//! Commands about stacks, frames and threads.

use model::{Inquiry, ThreadId};

/// Which frames of a stack are wanted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Extent {
    /// All.
    #[default]
    All,
    /// So many innermost ones.
    Innermost(u32),
    /// So many outermost ones.
    Outermost(u32),
}

/// For which threads or frames a command is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Apply {
    /// Threads.
    Threads {
        /// `None`: all.
        which: Option<Vec<ThreadId>>,
        /// All of them from the first on.
        ascending: bool,
    },
    /// Frames of a thread.
    Frames(Extent),
}

/// How `where` shows stacks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stacks {
    /// As one tree.
    pub merge: bool,
    /// With arguments and local variables.
    pub full: bool,
    /// Which frames.
    pub extent: Extent,
}

/// Where ranks are.
#[derive(Clone, Debug, PartialEq)]
pub enum StackCommand {
    /// Stacks.
    Where(Stacks),
    /// Show the frame, or choose one.
    Frame(Option<u32>),
    /// Choose the innermost frame of a function.
    FrameOf(String),
    /// Run a command for threads or frames.
    Apply(Apply, String),
    /// Outward.
    Up(u32),
    /// Inward.
    Down(u32),
    /// List threads.
    Threads,
    /// Show the thread, or choose one.
    Thread(Option<ThreadId>),
    /// Where the frame is, or of what source it is, in words.
    Tell(Inquiry),
}
