//! Requests for a debugger: the directory is watched, requests are shown, answered, and become sessions.
//!
//! [`RequestWatcher`] is the task that does what needs files and sockets; `scan` looks into the directory, `answer`
//! writes into it, `accept` waits for the master that a request becomes. The controller sees values only:
//! [`controller::state::ListedRequest`]s come in, [`controller::state::Ask`]s go out.

mod accept;
mod answer;
mod job;
mod request_watcher;
mod scan;

pub use accept::Accepted;
pub use request_watcher::{RequestNews, RequestWatcher};
