//! What several test binaries share.
#![allow(dead_code, reason = "no test binary uses all of it")]

pub mod base_client;
pub mod batch;
pub mod browser;
pub mod build;
pub mod connect;
pub mod control_group;
pub mod failures;
pub mod fake_session;
pub mod gdb;
pub mod hosts;
pub mod janitor;
pub mod live;
pub mod marks;
pub mod points;
pub mod ports;
pub mod process;
pub mod pty;
pub mod secrets;
pub mod served;
pub mod session;
pub mod slurm;
pub mod wait;
