//! Resolves names and types in one frame of a stopped thread.

pub(super) mod address_words;
pub(super) mod binding;
pub(super) mod enumerators;
pub(super) mod hosts;
pub(super) mod imports;
pub(super) mod library_release;
pub(super) mod named_within;
pub(super) mod names;
pub(super) mod namespaces;
pub(super) mod overloads;
pub(super) mod parameters;
pub(super) mod passed;
pub(super) mod rust_scopes;
pub(super) mod scope;
pub(super) mod symbols;
pub(super) mod unit_facts;
pub(super) mod view;
pub(super) mod whole_types;
