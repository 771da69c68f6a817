//! A script without a screen.

pub mod runner;
