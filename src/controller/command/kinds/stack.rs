//! Commands about stacks, frames and threads, parsed.

use crate::sets::SetExpr;
use model::{Inquiry, ThreadId};

/// A part of a stack.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Extent {
    /// The whole stack.
    #[default]
    All,
    /// This many innermost frames.
    Innermost(u32),
    /// This many outermost frames.
    Outermost(u32),
}

/// The threads or frames for which a command runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Apply {
    /// For threads.
    Threads {
        /// The threads' numbers; `None`: all.
        which: Option<Vec<ThreadId>>,
        /// True to begin with the lowest number.
        ascending: bool,
    },
    /// For frames of a thread.
    Frames(Extent),
    /// For the frames of a thread at these levels, from the first to the last of each pair.
    Levels(Vec<(u32, u32)>),
}

/// Flags of commands for threads or frames. A failed command does not keep the others from running.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ApplyFlags {
    /// True to show no headings.
    pub quiet: bool,
    /// True to drop errors, and headings without an output.
    pub silent: bool,
}

/// The stacks that are merged into one tree.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Merged {
    /// None: each is shown by itself.
    #[default]
    Nothing,
    /// Those of one thread of each rank.
    OneThread,
    /// Those of all threads.
    AllThreads,
}

/// The form of the stacks that `where` shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stacks {
    /// The stacks that are merged into one tree.
    pub merged: Merged,
    /// True to show arguments and local variables.
    pub full: bool,
    /// True to show every frame of libraries.
    pub all: bool,
    /// The frames to show.
    pub extent: Extent,
}

impl Stacks {
    /// True if frames of libraries are shown as one line in text: a number of frames is meant as given.
    pub fn folds(self) -> bool {
        !self.all && !self.full && self.extent == Extent::All
    }
}

/// How long running ranks are looked at, and how their stacks are shown.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SampleOrder {
    /// The time in seconds.
    pub seconds: f64,
    /// True to look at all threads.
    pub threads: bool,
    /// True to show every frame of libraries.
    pub all: bool,
}

/// A command about stacks, frames or threads.
#[derive(Clone, Debug, PartialEq)]
pub enum StackCommand {
    /// Shows stacks.
    Where(Stacks),
    /// Looks at running ranks several times.
    Sample(SampleOrder),
    /// Selects a frame by level; `None` shows it.
    Frame(Option<u32>),
    /// Selects the innermost frame of a function.
    FrameOf(String),
    /// Selects the frame at a stack address, given by an expression.
    FrameAt(String),
    /// Runs a command for threads or frames.
    Apply(Apply, ApplyFlags, String),
    /// Selects a frame this many levels farther out.
    Up(u32),
    /// Selects a frame this many levels farther in.
    Down(u32),
    /// Selects a frame as the command inside does, without showing it.
    Silently(Box<StackCommand>),
    /// Lists these threads; an empty list means all.
    Threads(Vec<ThreadId>),
    /// Selects a thread; `None` shows it.
    Thread(Option<ThreadId>),
    /// Names the selected thread; `None` removes its name.
    NameThread(Option<String>),
    /// Shows the threads whose names match a regular expression.
    FindThreads(String),
    /// Describes the frame or its source.
    Tell(Inquiry),
    /// Says what ranks wait for; `None`: those of the line.
    Why(Option<SetExpr>),
    /// Shows message queues; `None`: those of the ranks of the line.
    Queues(Option<SetExpr>),
}
