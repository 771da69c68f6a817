//! The memory that `x` examined last.

use crate::command::Form;
use model::{ProcessSet, VirtualAddress};

/// The place and format with which the next `x` continues.
#[derive(Clone, Debug)]
pub(in crate::core) struct Seen {
    /// The number of units that an `x` without arguments shows next.
    pub(in crate::core) count: u32,
    pub(in crate::core) unit: u32,
    pub(in crate::core) form: Form,
    pub(in crate::core) ends: Vec<(ProcessSet, End)>,
}

/// The end of the memory shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::core) enum End {
    At(VirtualAddress),
    /// After the instruction at this address.
    Behind(VirtualAddress),
}

impl End {
    pub(in crate::core) fn address(self) -> VirtualAddress {
        let (Self::At(address) | Self::Behind(address)) = self;
        address
    }
}
