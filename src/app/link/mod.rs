//! The front end's connection to a session: starting, resuming, and exchanging messages.

pub mod listing;
mod queues;
pub mod session;

pub use queues::{Arrival, LinkCarrier, SessionLink};
pub(crate) use queues::{LinkEnd, pump};
