//! The screen: views of the controller's state, keys to commands.

pub mod action;
pub mod keys;
pub mod layout;
pub mod prompt;
pub mod rank_state;
pub mod theme;

mod list;
