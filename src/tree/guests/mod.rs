//! Processes that were there before us are traced by a process of its own, which outlives a server that is killed: the
//! kernel lets what a killed tracer had go on at that very moment, with our breakpoints in it, and the first thread to come
//! by one ends its process.
//!
//! `tracer` is that process, `link` the engine that a server has in it, `engines` both of a server's sides.

mod engines;
mod link;
mod tracer;

pub(super) use engines::ServerEngines;
pub(super) use tracer::run;
