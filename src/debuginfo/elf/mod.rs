//! ELF files: headers, segments, sections, symbol tables, and finding separate debug files.

pub(super) mod compressed;
pub(super) mod debug_link;
pub(super) mod file;
pub(super) mod mini_debug_info;
pub(super) mod probes;
pub(super) mod section_data;
pub(super) mod symbols;
pub(super) mod truncated_files;
