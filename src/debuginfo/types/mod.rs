//! Types from debug information, and name lookup at a place of the program.

pub(super) mod base_types;
pub mod builtin;
pub(super) mod class_reader;
pub mod classes;
pub(super) mod description;
pub mod dimensions;
pub(super) mod enumerators;
pub mod parameters;
pub(super) mod reader;
pub(super) mod symbols;
pub(super) mod tags;
pub(super) mod variant_reader;

pub use description::{
    Aggregate, Alternative, Dimension, Encoding, INDIRECT_CODE, Kind, Member, MemoryFault, NamedValue, Place,
    Qualifier, Type, TypeId, TypeRef, UNDESCRIBED_CODE, UNDESCRIBED_DATA, Variants,
};
pub use symbols::Symbols;
