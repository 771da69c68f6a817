//! Starts servers on other hosts: their configuration (`server_config`) and the commands (`remote_start`).

mod remote_start;
mod server_config;

pub use remote_start::{Reach, charter_words, slurm_step, ssh_command};
pub use server_config::{Post, ServerConfig, Taken};
