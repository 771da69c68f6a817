//! Claims to breakpoint instructions: all claims at an address share one, which is removed with the last of them.

use crate::native::errors::error_call::ErrorCall;
use crate::native::ptrace::{Process, Region};
use model::{BreakpointId, ErrorCode, Failure};
use std::collections::BTreeMap;

/// A reason for a breakpoint instruction at an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::native) enum Claim {
    /// A breakpoint of the user.
    User(BreakpointId),
    /// The dynamic linker's notification of loaded and unloaded libraries.
    Linker,
    /// The stop before the program's own code.
    Start,
    /// A function by which a library reports an error.
    Error(ErrorCall),
    /// The place where a step waits for its thread.
    StepResume,
    /// A `longjmp` function: the call that a step runs through may end in it.
    LongJump,
    /// The start of an exception handler: the call that a step runs through may end in one.
    Handler,
    /// The return address of a function that an expression called.
    CallEnd,
    /// A function that reads or changes the floating-point environment.
    Environment,
    /// The return address of a thread in such a function.
    EnvironmentEnd,
    /// The return address of the frame whose variables a watchpoint watches.
    ScopeEnd(BreakpointId),
}

/// The claims to breakpoint instructions in one process.
#[derive(Debug, Default)]
pub(in crate::native) struct Claims {
    by_address: BTreeMap<u64, Vec<Claim>>,
    /// Those that use a debug register in place of an instruction.
    in_hardware: Vec<(u64, Claim)>,
}

impl Claims {
    /// Adds a claim, inserting the breakpoint instruction if it is the first at the address.
    pub(in crate::native) fn add(&mut self, process: &mut Process, address: u64, claim: Claim) -> Result<(), Failure> {
        process
            .address_space_mut()
            .insert_site(address)
            .map_err(|fault| Failure::new(ErrorCode::MEMORY, format!("Cannot insert a breakpoint: {fault}")))?;
        self.by_address.entry(address).or_default().push(claim);
        Ok(())
    }

    /// Adds the claim of a breakpoint of the user.
    pub(in crate::native) fn add_user(
        &mut self,
        process: &mut Process,
        address: u64,
        id: BreakpointId,
        hardware: bool,
    ) -> Result<(), Failure> {
        if hardware {
            self.add_in_hardware(process, address, Claim::User(id))
        } else {
            self.add(process, address, Claim::User(id))
        }
    }

    /// Adds a claim that uses a debug register.
    fn add_in_hardware(&mut self, process: &mut Process, address: u64, claim: Claim) -> Result<(), Failure> {
        let region = Region::instruction(address);
        if !region.may_be_watched(process.memory()) {
            let why = format!("Cannot set a hardware breakpoint: a program has no code at {address:#x}");
            return Err(Failure::new(ErrorCode::MEMORY, why));
        }
        let place = [region];
        let why = if !process.debug_registers_mut().claim(&place) {
            "all debug registers are in use; \"breakpoints\" lists what uses them"
        } else if !process.can_arm(None) {
            process.debug_registers_mut().release(&place);
            "the system provides no debug registers"
        } else {
            self.in_hardware.push((address, claim));
            self.by_address.entry(address).or_default().push(claim);
            return Ok(());
        };
        Err(Failure::new(ErrorCode::DEBUGGER, format!("Cannot set a hardware breakpoint: {why}")))
    }

    /// Removes one claim, and the breakpoint instruction with the last claim at the address.
    pub(in crate::native) fn remove(&mut self, process: &mut Process, address: u64, claim: Claim) {
        let Some(claims) = self.by_address.get_mut(&address) else { return };
        if let Some(place) = claims.iter().position(|other| *other == claim) {
            claims.swap_remove(place);
            match self.in_hardware.iter().position(|known| *known == (address, claim)) {
                Some(known) => {
                    self.in_hardware.swap_remove(known);
                    process.debug_registers_mut().release(&[Region::instruction(address)]);
                }
                None => process.address_space_mut().remove_site(address),
            }
        }
        if claims.is_empty() {
            self.by_address.remove(&address);
        }
    }

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

    pub(in crate::native) fn at(&self, address: u64) -> &[Claim] {
        self.by_address.get(&address).map_or(&[], Vec::as_slice)
    }

    pub(in crate::native) fn is_claimed(&self, address: u64) -> bool {
        self.by_address.contains_key(&address)
    }

    pub(in crate::native) fn any(&self, matches: impl Fn(&Claim) -> bool) -> bool {
        self.by_address.values().flatten().any(matches)
    }

    pub(in crate::native) fn addresses(&self) -> impl Iterator<Item = u64> {
        self.by_address.keys().copied()
    }

    /// Forgets claims in unmapped memory; their breakpoint instructions are gone with it. Debug registers stay until
    /// their breakpoints move.
    pub(in crate::native) fn forget(&mut self, gone: impl Fn(u64) -> bool) {
        let in_hardware = &self.in_hardware;
        self.by_address.retain(|address, claims| {
            if gone(*address) {
                claims.retain(|claim| in_hardware.contains(&(*address, *claim)));
            }
            !claims.is_empty()
        });
    }
}
