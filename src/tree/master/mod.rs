//! The master: root of the tree, owner of the session. It outlives front ends.
//!
//! One task owns all state (`actor`, `state`). A job that is being launched is in `assembly`, messages to front ends in
//! `front_end`, child processes in `processes` and `servers`.

mod actor;
mod assembly;
mod attaching;
pub mod breakpoints;
mod child_dialler;
mod child_servers;
mod ending;
mod front_end;
mod guardian;
mod input;
mod job;
mod job_end;
mod job_ranks;
mod launching;
mod meeting;
mod processes;
mod remote_servers;
mod server_logs;
mod servers;
mod setup;
pub mod signal_settings;
mod state;
mod step;
mod tree_events;

pub use actor::run;
pub use front_end::base_client::{BaseClient, BaseLink};
pub(super) use processes::ServerCommand;
pub(super) use server_logs::last_log_line;
pub use setup::MasterSetup;
