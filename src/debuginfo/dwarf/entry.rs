//! Entries of debug information and their attributes, as they are read, and how one is named.

use gimli::{AttributeValue, DebuggingInformationEntry, EndianSlice, LittleEndian, UnitOffset};

pub(crate) type Slice = EndianSlice<'static, LittleEndian>;
pub(crate) type Entry = DebuggingInformationEntry<Slice>;
pub(crate) type Attribute = AttributeValue<Slice>;

/// An entry: which unit, and where in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct EntryId {
    pub(crate) unit: u32,
    pub(crate) offset: UnitOffset,
}
