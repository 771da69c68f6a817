//! The event loop of the screen: keys, replies and time come in; requests and pictures go out. It waits for all of
//! them at once and for none of them alone.

mod options;
mod painter;
mod session;
mod terminal;
mod typed;

pub use options::{LastWords, Options};
pub use session::{Leave, run};
