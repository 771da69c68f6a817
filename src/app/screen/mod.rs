//! The event loop of the screen: keys, replies and time come in; requests and pictures go out. It waits for all of
//! them at once and for none of them alone.

mod event_loop;
mod options;
mod painter;
mod terminal;
mod typed;

pub use event_loop::{Leave, run};
pub use options::{LastWords, Options};
