//! The native engine on real programs.

mod driver;
mod processes;
mod running;
mod threads;
