//! The master: root of the tree, owner of the session. It outlives front ends.
//!
//! One task owns everything (`run`). What it knows of a job on its way is in `assembly`, what it says to whom in
//! `front`, whom it started in `processes`. A client of the base dialect is a front end behind `base_client`.

mod actor;
mod assembly;
mod attaching;
mod backlog;
mod base_client;
pub mod breakpoints;
mod child_servers;
mod ending;
mod front;
mod fronts;
mod guardian;
mod job;
mod meeting;
mod processes;
mod remote_servers;
mod requests;
pub mod signal_settings;
mod step;
mod tree_events;

pub use actor::{MasterSetup, run};
pub use base_client::{BaseClient, BaseLink};
pub(super) use processes::{ServerCommand, last_log_line};
