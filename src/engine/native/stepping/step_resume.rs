//! The places where a step waits for its thread.

/// The return address of a called function, and the stack pointer there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::native) struct Caller {
    pub(in crate::native) back: u64,
    pub(in crate::native) stack_pointer: u64,
}

impl Caller {
    /// Returns a wait at the return address.
    pub(in crate::native) fn step_resume(self, then: Then) -> StepResume {
        StepResume { address: self.back, lowest_stack: self.stack_pointer, then }
    }
}

/// A place where a step waits for its thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::native) struct StepResume {
    pub(in crate::native) address: u64,
    /// Deeper recursions have a lower stack pointer and do not count.
    pub(in crate::native) lowest_stack: u64,
    pub(in crate::native) then: Then,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::native) enum Then {
    /// The thread has returned from a call.
    Return,
    /// It has run through code without branches.
    Passed,
    /// It has arrived in the function that was stepped into.
    Arrived,
    /// It has returned from a signal handler to an instruction that it has yet to execute.
    Resume,
    /// It is at the start of an indirect function's resolver; the callee returns to this caller.
    Resolver(Caller),
    /// The resolver has returned the function that it chose.
    Resolved(Caller),
    /// The step is done.
    End,
    /// The step is done in a frame with this CFA or in a caller; deeper recursions do not count.
    EndIn(u64),
}
