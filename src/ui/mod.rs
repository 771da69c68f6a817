//! The screen: views of the controller's state, keys to commands.

pub mod theme;
