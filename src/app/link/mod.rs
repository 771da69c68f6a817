//! The front end's side of a session: starting one or taking one back, and carrying what goes over it.

pub mod listing;
mod queues;
pub mod session;

pub use queues::{Arrival, LinkCarrier, SessionLink};
pub(crate) use queues::{LinkEnd, pump};
