//! The event loop of the screen: keys, replies and timers in; requests and frames out. Waits for all of them at once,
//! never for one alone.

mod answers;
mod event_loop;
mod graphics;
mod late_answers;
mod options;
mod painter;
mod terminal;
pub(crate) mod typed;

pub use event_loop::run;
pub use options::{LastWords, Options};
pub(crate) use options::{history_file, own_themes};
