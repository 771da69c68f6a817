//! Servers on other hosts: what they are told (`charter`), and the commands that start them there (`reach`).

mod charter;
mod reach;

pub use charter::{Charter, Post, Taken};
pub use reach::{Reach, charter_words, slurm_step, ssh_command};
