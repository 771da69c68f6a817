//! The screen's contents, and its use of the terminal.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on ends")]

#[path = "../support/mod.rs"]
mod support;

mod causes;
mod completion;
mod drawn;
mod driver;
mod graphics;
mod leaving;
mod memory_of_programs;
mod misspelt;
mod out_of_memory;
mod parts_of_values;
mod picture;
mod plain;
mod replacing;
mod requests_dialog;
mod screens;
mod screenshots;
mod screenshots_of_programs;
mod terminal;
mod themes;
mod typed_lines;
