//! Inserts traps at the functions that report errors.

use super::error_call::ErrorCalls;
use crate::native::breakpoints::claims::Claim;
use crate::native::breakpoints::points::Breakpoints;
use crate::native::inspect::inferior::Inferior;

impl Breakpoints {
    /// Claims the functions that are not claimed yet.
    pub(in crate::native) fn claim_error_calls(&mut self, inferior: &mut Inferior, found: ErrorCalls) {
        for (address, call) in found.iter() {
            let claim = Claim::Error(call);
            if !self.claims.at(address).contains(&claim) {
                // Without its trap, an error is reported by the program alone.
                let _ = self.claims.add(&mut inferior.process, address, claim);
            }
        }
    }
}
