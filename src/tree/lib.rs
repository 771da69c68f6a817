//! The tree between the front end and the ranks: a master, servers below it, and what they start and join.
//!
//! What a node decides is in plain values and functions ([`topology`], [`routing`], [`merge`], [`window`], [`relay`]);
//! what it does to sockets and processes is around them.

pub mod arguments;
pub mod attach;
pub mod breakpoints;
mod classical;
pub mod connect;
pub mod dialling;
mod ending_signals;
pub mod engines;
mod guests;
pub mod join;
pub mod join_message;
pub mod join_plan;
pub mod links;
mod listed;
mod log_file;
pub mod master;
pub mod merge;
pub mod node;
pub mod orphans;
pub mod outpost;
mod output_lane;
pub mod relay;
pub mod routing;
pub mod routing_file;
pub mod server;
pub mod signal_settings;
pub mod start;
pub mod states;
pub mod topology;
pub mod transaction;
pub mod window;

mod error;
mod own_program;
mod starter;

pub use error::TreeError;
pub use own_program::TREE_WORD;
