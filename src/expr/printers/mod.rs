//! What types of the libraries hold, as their printers for gdb show it.

pub(super) mod container;
pub(super) mod containers;
pub(super) mod iterators;
pub(super) mod libstdcxx;
pub(super) mod printer_members;
pub(super) mod rust_library;
pub(super) mod xmethods;
