//! What each language has of its own: how it is read, what its operators do, how its types are written.

pub mod c;
pub(crate) mod cpp;
pub(crate) mod fortran;
pub(crate) mod languages;
pub mod rust;
