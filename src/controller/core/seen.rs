//! Where memory was looked at last.

use crate::command::Form;
use model::{ProcessSet, VirtualAddress};

/// The memory that `x` showed last: where the next one goes on, and how.
#[derive(Clone, Debug)]
pub(in crate::core) struct Seen {
    /// Units that a line without any argument shows again so many of.
    pub(in crate::core) count: u32,
    pub(in crate::core) unit: u32,
    pub(in crate::core) form: Form,
    pub(in crate::core) ends: Vec<(ProcessSet, End)>,
}

/// Where what was shown ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::core) enum End {
    At(VirtualAddress),
    /// Behind the instruction that is here.
    Behind(VirtualAddress),
}

impl End {
    pub(in crate::core) fn address(self) -> VirtualAddress {
        let (Self::At(address) | Self::Behind(address)) = self;
        address
    }
}
