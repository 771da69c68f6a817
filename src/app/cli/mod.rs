//! Parses the command line.

pub mod again;
pub mod attach;
pub mod core;
pub mod front_end;
pub mod hint;
pub mod hosts;
pub mod job;
pub(crate) mod redirected;
pub mod run;
pub mod shell;
pub mod subcommands;
pub mod triage;
pub mod usage_error;
