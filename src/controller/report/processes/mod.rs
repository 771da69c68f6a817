//! Facts about the processes of ranks: loaded files, limits, core files

pub(super) mod core_files;
pub(super) mod facts;
pub(super) mod libraries;
pub(super) mod limits;
