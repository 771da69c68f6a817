//! Where the thread of a step is waited for.

/// A place where the thread of a step is waited for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Landing {
    pub(super) address: u64,
    /// Deeper recursions have a lower stack pointer and do not count.
    pub(super) lowest_stack: u64,
    pub(super) then: Then,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Then {
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
