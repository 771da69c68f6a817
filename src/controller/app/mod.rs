//! The front end's processes: what reads files, opens sockets, and takes words from a command line.

pub mod batch;
pub mod cli;
pub mod complaint;
pub mod config;
pub mod demo;
pub(super) mod ending_signals;
pub mod files;
pub mod front_end;
pub mod launcher;
pub mod link;
pub mod manual;
pub mod reverse;
