//! The native engine on real programs.

mod driver;
mod running;
