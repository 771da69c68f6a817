//! What the programs are: the command line, batch scripts, manual pages, configuration, the front end's side of a session and
//! requests for a debugger. What reads files, opens sockets or takes the terminal for the front end is here.
#![warn(unused_crate_dependencies)]

pub mod batch;
pub mod cli;
pub mod complaint;
pub mod config;
pub mod demo;
pub mod ending_signals;
pub mod files;
pub mod front_end;
pub mod launcher;
pub mod link;
pub mod manual;
pub mod rankscope;
pub mod reverse;
pub mod screen;
pub mod tree_programs;
