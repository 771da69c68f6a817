//! Where the thread of a step is waited for.

/// Where a function that was called returns to, and the stack pointer there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::native) struct Caller {
    pub(in crate::native) back: u64,
    pub(in crate::native) stack_pointer: u64,
}

impl Caller {
    /// Waits for the thread there.
    pub(in crate::native) fn step_resume(self, then: Then) -> StepResume {
        StepResume { address: self.back, lowest_stack: self.stack_pointer, then }
    }
}

/// A place where the thread of a step is waited for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::native) struct StepResume {
    pub(in crate::native) address: u64,
    /// Deeper recursions have a lower stack pointer and do not count.
    pub(in crate::native) lowest_stack: u64,
    pub(in crate::native) then: Then,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::native) enum Then {
    /// It came back from a call.
    Return,
    /// It is behind code that has no branches.
    Passed,
    /// It arrived in the function that was stepped into.
    Arrived,
    /// It came back from a signal handler, to an instruction that is yet to be executed.
    Resume,
    /// It is where a function begins that says which one is meant; what was called returns there.
    Resolver(Caller),
    /// That function has said so.
    Resolved(Caller),
    /// That is all.
    End,
    /// That is all, in a frame with this CFA or a caller's; deeper recursions do not count.
    EndIn(u64),
}
