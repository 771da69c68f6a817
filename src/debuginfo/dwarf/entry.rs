//! Entries of debug information, their attributes, and their identity.

use gimli::{AttributeValue, DebuggingInformationEntry, EndianSlice, LittleEndian, UnitOffset};

pub(crate) type Slice = EndianSlice<'static, LittleEndian>;
pub(crate) type Entry = DebuggingInformationEntry<Slice>;
pub(crate) type Attribute = AttributeValue<Slice>;

/// An entry: the number of its unit, and its offset there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct EntryId {
    pub(crate) unit: u32,
    pub(crate) offset: UnitOffset,
}
