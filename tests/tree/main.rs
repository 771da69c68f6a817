//! The tree of servers as processes: over sockets, over hosts, with clients that appear, flood and die.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on ends")]

#[path = "../support/mod.rs"]
mod support;

mod abuse;
mod array_parts;
mod base_commands;
mod base_dialect;
mod classical;
mod detached;
mod endless;
mod flood;
mod hosts;
mod hosts_paths;
mod hosts_ssh;
mod limits;
mod randomised;
mod sessions;
mod stopped_servers;
mod survival;
mod thousand_servers;
mod tree;
mod why;
