//! The native engine on real programs.

mod driver;
mod inlined;
mod processes;
mod returning;
mod running;
mod threads;
