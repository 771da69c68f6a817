//! The master: root of the tree, owner of the session. It outlives front ends.
//!
//! One task owns everything (`run`, `state`). What it knows of a job on its way is in `assembly`, what it says to whom in
//! `front_end`, whom it started in `processes` and `servers`. A client of the base dialect is a front end behind `base_client`.

mod actor;
mod assembly;
mod attaching;
pub mod breakpoints;
mod child_servers;
mod ending;
mod front_end;
mod guardian;
mod input;
mod job;
mod job_end;
mod launching;
mod meeting;
mod processes;
mod remote_servers;
mod servers;
mod setup;
pub mod signal_settings;
mod state;
mod step;
mod tree_events;

pub use actor::run;
pub use front_end::base_client::{BaseClient, BaseLink};
pub(super) use processes::{ServerCommand, last_log_line};
pub use setup::MasterSetup;
