//! Where the thread of a step is waited for.

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
    /// It is where a function begins that says which one is meant; what was called returns there, with that stack pointer.
    Resolver(u64, u64),
    /// That function has said so.
    Resolved(u64, u64),
    /// That is all.
    End,
    /// That is all, in a frame with this CFA or a caller's; deeper recursions do not count.
    EndIn(u64),
}
