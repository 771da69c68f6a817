//! Facts about the processes of ranks: loaded files, limits, core files, data in files

pub(super) mod core_files;
pub(super) mod facts;
pub(super) mod libraries;
pub(super) mod limits;
pub(super) mod saved_data;
