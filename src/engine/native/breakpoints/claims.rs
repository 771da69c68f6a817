//! Who wants a trap where: one breakpoint instruction serves them all, and goes with the last of them.

use crate::native::ptrace::Process;
use model::{BreakpointId, ErrorCode, Failure};
use std::collections::BTreeMap;

/// Who wants a trap.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::native) enum Claim {
    /// The user.
    User(BreakpointId),
    /// The debugger, to see libraries come and go.
    Linker,
    /// The debugger, for the stop before the program's own code.
    Start,
    /// A step that waits for its thread to come by.
    StepResume,
    /// A step, for calls that end in longjmp(3).
    LongJump,
    /// A step, for calls that end in the handler of an exception.
    Handler,
    /// A function that an expression called: where it returns to.
    CallEnd,
    /// A watchpoint, for the end of the frame its names are of.
    ScopeEnd(BreakpointId),
}

/// The claims to breakpoint instructions in one process.
#[derive(Debug, Default)]
pub(in crate::native) struct Claims {
    by_address: BTreeMap<u64, Vec<Claim>>,
}

impl Claims {
    /// Wants a trap at an address.
    pub(in crate::native) fn add(&mut self, process: &mut Process, address: u64, claim: Claim) -> Result<(), Failure> {
        process
            .address_space_mut()
            .insert_site(address)
            .map_err(|fault| Failure::new(ErrorCode::MEMORY, format!("Cannot insert a breakpoint: {fault}")))?;
        self.by_address.entry(address).or_default().push(claim);
        Ok(())
    }

    /// Gives up one claim.
    pub(in crate::native) fn remove(&mut self, process: &mut Process, address: u64, claim: Claim) {
        let Some(claims) = self.by_address.get_mut(&address) else { return };
        if let Some(place) = claims.iter().position(|other| *other == claim) {
            claims.swap_remove(place);
            process.address_space_mut().remove_site(address);
        }
        if claims.is_empty() {
            self.by_address.remove(&address);
        }
    }

    /// Gives up all claims that match.
    pub(in crate::native) fn remove_all(&mut self, process: &mut Process, matches: impl Fn(&Claim) -> bool) {
        let given_up: Vec<(u64, Claim)> = self
            .by_address
            .iter()
            .flat_map(|(address, claims)| claims.iter().map(|claim| (*address, *claim)))
            .filter(|(_, claim)| matches(claim))
            .collect();
        for (address, claim) in given_up {
            self.remove(process, address, claim);
        }
    }

    /// Who wants a trap at an address.
    pub(in crate::native) fn at(&self, address: u64) -> &[Claim] {
        self.by_address.get(&address).map_or(&[], Vec::as_slice)
    }

    /// Whether anybody wants one there.
    pub(in crate::native) fn is_claimed(&self, address: u64) -> bool {
        self.by_address.contains_key(&address)
    }

    /// Whether there is such a claim anywhere.
    pub(in crate::native) fn any(&self, matches: impl Fn(&Claim) -> bool) -> bool {
        self.by_address.values().flatten().any(matches)
    }

    /// Where traps are wanted.
    pub(in crate::native) fn addresses(&self) -> impl Iterator<Item = u64> {
        self.by_address.keys().copied()
    }

    /// Forgets claims in memory that is gone, with the traps in it.
    pub(in crate::native) fn forget(&mut self, gone: impl Fn(u64) -> bool) {
        self.by_address.retain(|address, _| !gone(*address));
    }
}
