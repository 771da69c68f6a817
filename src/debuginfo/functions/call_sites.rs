//! Call sites and the arguments they pass (DWARF 5, 3.4), as written by optimizing compilers.

use crate::dwarf::entry::EntryId;
use gimli::UnitOffset;
use model::FileAddress;
use rustc_hash::FxHashMap;

#[derive(Clone, Copy, Debug)]
pub(crate) struct CallSite {
    pub(super) offset: UnitOffset,
    /// The address after the call instruction.
    pub(crate) return_address: FileAddress,
    /// The called function, if it is known.
    pub(crate) target: Option<EntryId>,
    /// True for a tail call: the callee returns to the caller's caller.
    pub(crate) tail: bool,
}

#[derive(Debug, Default)]
pub(crate) struct CallSites {
    pub(super) by_return_address: FxHashMap<u64, CallSite>,
}

impl CallSites {
    /// Returns the call with this return address.
    pub(crate) fn at(&self, return_address: FileAddress) -> Option<&CallSite> {
        self.by_return_address.get(&return_address.0)
    }

    /// True if the compiler describes no calls: it does so in optimised code.
    pub(crate) fn is_empty(&self) -> bool {
        self.by_return_address.is_empty()
    }

    /// Returns the tail calls whose code ends within a range.
    pub(crate) fn tail_calls(&self, start: u64, end: u64) -> Vec<CallSite> {
        let within = self.by_return_address.values().filter(|site| site.tail);
        let mut calls: Vec<_> =
            within.filter(|site| start < site.return_address.0 && site.return_address.0 <= end).copied().collect();
        calls.sort_by_key(|site| site.return_address);
        calls
    }
}
