//! The tree between front end and ranks: the master, its servers, launching, joining and attaching.
//!
//! A node decides with plain values and functions ([`routing`], [`merging`]); its tasks for sockets and processes call
//! them.
#![warn(unused_crate_dependencies)]

pub mod arguments;
pub mod attach;
mod classical;
pub mod connect;
pub mod detached_servers;
mod ending_signals;
pub mod engines;
mod guests;
pub mod join;
pub mod link_tasks;
mod log_file;
pub mod master;
pub mod merging;
pub mod node;
pub mod remote;
mod restart;
pub mod routing;
pub mod server;
pub mod start;

mod error;
mod own_program;

pub use error::TreeError;
pub use own_program::TREE_WORD;
