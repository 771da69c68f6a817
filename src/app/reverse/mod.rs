//! Reverse connections, front end's side: watches the directory, shows requests, answers them, and turns them into
//! sessions.
//!
//! [`RequestWatcher`] is the task that works with files and sockets: `scan` reads the directory, `answer` writes into
//! it, `accept` waits for the master that a request becomes. It exchanges only values with the controller:
//! [`controller::state::ListedRequest`]s in, [`controller::state::Ask`]s out.

mod accept;
mod answer;
mod job;
mod reception;
mod request_watcher;
mod scan;

pub use accept::Accepted;
pub use reception::{ForwardedAddress, Reception};
pub use request_watcher::{RequestNews, RequestWatcher};
