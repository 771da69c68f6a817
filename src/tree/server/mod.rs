//! A server of the tree: relays for those below, and debugs the ranks of its own.
//!
//! One task owns everything ([`run`]); links, the engine and joiners reach it through one channel.

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
