//! Executables and libraries that ranks have mapped, each opened once and read on demand.

pub(super) mod blocking_reads;
pub(super) mod contents;
pub(super) mod damage;
pub(super) mod error;
pub(super) mod freed_memory;
pub(super) mod image;
pub(super) mod is_cached;
pub(super) mod link_map;
pub(super) mod loaded;
pub(super) mod places;
pub(super) mod preparing;
pub(super) mod separate_file;
pub(super) mod store;
pub(super) mod types;
