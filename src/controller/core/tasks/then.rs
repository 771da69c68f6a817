//! What is made of the answers to a command's questions.

use crate::command::{Apply, MemoryFormat, PrintForm, Stacks};
use crate::report::{Content, Scope};
use crate::sets::Scope as FocusScope;
use crate::state::Displayed;
use model::{BreakpointId, Frame, LocationSpec, ProcessSet, ThreadId};
use std::sync::Arc;

#[derive(Clone, Debug, PartialEq)]
pub(in crate::core) enum Then {
    /// Ranks were told to run; a step of a script is waited for.
    Run {
        settle: bool,
    },
    /// A breakpoint was set.
    Breakpoint(BreakpointId),
    Change(Vec<BreakpointId>, Change),
    /// Breakpoints at a place are to be deleted: where it is, and for whom when not for all.
    Clear(LocationSpec, Option<ProcessSet>),
    /// Values, one for each distinct one.
    Value(String, PrintForm),
    /// Values of these expressions; the number of the one that is new.
    Displays(Vec<Displayed>, Option<u32>),
    /// Values, in numbers.
    Compare(String),
    /// This expression was assigned to.
    Assigned(String),
    /// Settings hold from now on.
    Configured,
    Type(String),
    /// How deep stacks are.
    Depths(StackWish),
    Stacks(StackWish),
    /// Variables of their frames.
    FrameVariables(Vec<SharedStack>),
    /// What is at the addresses in what is to be shown, in its values, too, or not: of which of it, which.
    Symbols(Vec<(Content, bool)>, Vec<(usize, Vec<u64>)>),
    /// Ranks are to look at frames of these levels.
    ChooseFrame(Move),
    /// Ranks are to look at their innermost frames of this function, in the stack of a thread.
    ChooseFunction(String, Option<ThreadId>),
    /// A command is run for threads or frames; the thread whose frames they are.
    Apply(Apply, Option<ThreadId>, String),
    /// What is at the address of an expression.
    SymbolAt(String),
    /// Where the code of a line is.
    CodeOf(Option<LocationSpec>),
    /// `$_` was set.
    Noted,
    Threads,
    /// This thread becomes the shown one.
    ChooseThread(ThreadId),
    Variables(Scope),
    Registers,
    /// The focus is to be this, when its thread is there.
    Focus(FocusScope, ProcessSet),
    /// Memory at the address of an expression.
    Memory(MemoryFormat, String),
    /// Lines around the places of a location.
    Places(Listing),
    /// Lines of a file.
    Lines {
        file: Arc<str>,
        first: u32,
        last: u32,
        center: Option<u32>,
    },
    Signals,
    /// Instructions, but for the first ones; of an `x` with what it asked for.
    Instructions {
        skip: usize,
        examined: Option<MemoryFormat>,
    },
    Libraries,
    UnderEngine,
    Told,
    EngineText,
}

/// A change of a breakpoint that the ranks were asked to make.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::core) enum Change {
    Delete,
    Enable(bool),
    Condition(Option<String>),
    Ignore(u64),
}

/// How stacks are shown that are being asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::core) struct StackWish {
    pub(in crate::core) stacks: Stacks,
    pub(in crate::core) thread: Option<ThreadId>,
}

/// Frames that ranks share, and that are to be shown with their variables.
pub(in crate::core) type SharedStack = (ProcessSet, Vec<Frame>);

/// Which frames `frame`, `up` and `down` ask for, by the slots of their questions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::core) struct Move {
    pub(in crate::core) thread: Option<ThreadId>,
    /// From this level to that one; the last that is there is chosen.
    pub(in crate::core) levels: Vec<(u32, u32)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::core) enum Listing {
    /// Those around this one; `None`: around the first that has code there.
    Around(Option<u32>),
    /// From this one on, or from the first that has code there; perhaps to a last one.
    From {
        /// As it was asked for.
        first: Option<u32>,
        /// As it was asked for.
        last: Option<u32>,
    },
}
