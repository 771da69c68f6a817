//! The native engine on real programs.

mod driver;
mod processes;
mod returning;
mod running;
mod threads;
