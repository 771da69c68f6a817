//! A server: relays for the servers below it, and debugs its own ranks.
//!
//! One task owns all state ([`run`]); links, the engine and joiners send it messages through one channel.

mod actor;
mod attaching;
mod ending;
mod joiners;
mod links;
mod parent;
mod place;
mod setup;
mod signals;
mod state;

pub(crate) use actor::READY;
pub use actor::run;
pub(crate) use place::EVERYWHERE;
pub use setup::{Routes, ServerSetup};
