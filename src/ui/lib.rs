//! The screen: views of the controller's state, and keys that become commands.
#![warn(unused_crate_dependencies)]

pub mod action;
pub mod app;
pub mod array_state;
pub mod effect;
pub mod highlight;
pub mod keys;
pub mod layer;
pub mod layout;
pub mod log;
pub mod prompt;
pub mod rank_state;
pub mod row_key;
pub mod theme;
pub mod view;

mod glyphs;
mod help;
mod list;
mod part_path;
mod part_types;
mod returned_values;
mod screen;
mod values;
mod views;
mod words;

pub use list::List;
pub use screen::draw;
pub use views::array::graphics::kind::{CellSize, Graphics};
pub use views::array::graphics::kitty::farewell as without_pictures;
