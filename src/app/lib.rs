//! The `rankscope` program: command line, batch scripts, configuration, manual pages, the link to a session, and
//! the screen's event loop. All file, socket and terminal I/O of the front end is here.
#![warn(unused_crate_dependencies)]

pub mod attended;
pub mod batch;
pub mod cli;
pub mod complaint;
pub mod config;
pub mod demo;
mod editing;
pub mod ending_signals;
pub mod files;
pub mod front_end;
pub mod launcher;
pub mod link;
pub mod manual;
mod own_directories;
pub mod plain;
mod printer_files;
pub mod python;
pub mod rankscope;
pub mod reverse;
mod runs;
pub mod screen;
mod shell_commands;
pub mod tree_programs;
pub mod triage;
