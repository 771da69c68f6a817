//! Requests for a debugger: the directory is watched, requests are shown, answered, and become sessions.
//!
//! [`Desk`] is the task that does what needs files and sockets; `scan` looks into the directory, `answer` writes into it,
//! `accept` waits for the master that a request becomes. The controller sees values only: [`ListedRequest`]s come in,
//! [`Ask`]s go out.

mod accept;
mod answer;
mod desk;
mod job;
mod listed;
mod scan;

pub use accept::Accepted;
pub use desk::{Desk, DeskNews};
pub use listed::seconds;

pub use listed::{Ask, ListedRequest, NotAcceptable};
pub use protocol::reverse::RequestId;
