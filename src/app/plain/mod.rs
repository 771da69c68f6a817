//! The plain mode (`--plain`): a prompt and lines of text, for screen readers and simple terminals.

mod awaited_text;
mod conversation;
mod front;
mod input;
mod news;
mod options;
mod telling;

pub use front::run;
pub use options::Options;
