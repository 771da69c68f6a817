//! Settings for launching ranks, and for the engines.

pub(super) mod engine_name;
pub(super) mod launch;
pub(super) mod print_options;
pub(super) mod printers;
pub(super) mod run_settings;
pub(super) mod scheduling;
pub(super) mod skips;
pub(super) mod source_rules;
pub(super) mod standard_input;
