//! The front end's side of a session: starting one or taking one back, and carrying what goes over it.

pub mod listing;
pub(crate) mod queues;
pub mod session;
